package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Reads rows of a table or of a pushed query by SQL.
 *
 * @param compared columns that the statement names, and Trino does not need. The statement returns them too, to compare them with the plan
 */
record SqlRows(ReadSql sql, JdbcTableHandle table, List<JdbcColumnHandle> columns, Optional<List<JdbcColumnHandle>> compared)
        implements ReadPlan, LeftRows
{
    SqlRows
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(table, "table is null");
        columns = ImmutableList.copyOf(columns);
        compared = compared.map(ImmutableList::copyOf);
    }

    static SqlRows of(ReadSql sql, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return new SqlRows(sql, table, columns, unreturned(sql.split(), table));
    }

    // A statement that needs no transaction returns the columns that it names. To ask for them first would cost a look-up three round trips.
    private static Optional<List<JdbcColumnHandle>> unreturned(MysqlPqSplit split, JdbcTableHandle table)
    {
        if (!table.isNamedRelation() || split.range().isPresent() || split.snapshot().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(getOnlyElement(split.tables()).unreturned()).filter(columns -> columns.stream().allMatch(NativeTable::isInRecord));
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        if (compared.isPresent()) {
            List<JdbcColumnHandle> selected = ImmutableList.<JdbcColumnHandle>builder().addAll(columns).addAll(compared.get()).build();
            return sql.comparedPages(columns, compared.get(), connection, sql.rows(connection, table, selected, dynamicFilter, Optional.empty()));
        }
        return after(connection, dynamicFilter, Optional.empty(), OptionalInt.empty());
    }

    @Override
    public RowPages after(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeyBound> last, OptionalInt unusual)
            throws SQLException
    {
        return sql.pages(columns, connection, sql.rows(connection, table, columns, dynamicFilter, last));
    }
}
