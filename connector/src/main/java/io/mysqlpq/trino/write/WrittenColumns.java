package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.rows.ChangedColumnException;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.mysqlpq.trino.split.OldValues;
import io.trino.plugin.jdbc.JdbcAssignmentItem;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Makes sure, before a write is committed, that its columns are those that the query was planned on.
 *
 * <p>MySQL rounds a value to fewer digits after the point, or makes a number of a text, without an error. It compares a text with a number
 * as numbers.
 */
final class WrittenColumns
{
    private final Function<String, String> quoted;
    private final RemoteQueryModifier queryModifier;

    WrittenColumns(Function<String, String> quoted, RemoteQueryModifier queryModifier)
    {
        this.quoted = requireNonNull(quoted, "quoted is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Says what becomes of rows that are not committed, as people are told. */
    enum Undone
    {
        ALL("Nothing was written, if the table's engine has transactions. Run the query again"),
        LAST_BATCH("Rows of earlier batches stay in the table, because non_transactional_insert or non_transactional_merge is true. Check them before you run the query again");

        private final String advice;

        Undone(String advice)
        {
            this.advice = advice;
        }
    }

    /** The columns of rows that are written. A table that the query creates has the types that it gets. */
    static List<JdbcColumnHandle> of(JdbcOutputTableHandle rows)
    {
        return rows.getJdbcColumnTypes()
                .map(types -> IntStream.range(0, types.size()).mapToObj(index -> new JdbcColumnHandle(rows.getColumnNames().get(index), types.get(index), rows.getColumnTypes().get(index))).collect(toImmutableList()))
                .orElseGet(ImmutableList::of);
    }

    /**
     * Looks at columns in the transaction that wrote to them. It keeps the table's lock until its end, so DDL comes before this or after the commit.
     *
     * @param table as SQL names it
     */
    void check(ConnectorSession session, Connection connection, RemoteTableName table, String quotedTable, List<JdbcColumnHandle> written, Undone undone)
            throws SQLException
    {
        check(session, connection, table, quotedTable, written, ImmutableList.of(), undone);
    }

    /** Looks at the columns of an UPDATE or DELETE that MySQL does alone: those that it sets, and those that its filter names. */
    void check(ConnectorSession session, Connection connection, JdbcTableHandle changed, String quotedTable)
            throws SQLException
    {
        check(
                session,
                connection,
                changed.getRequiredNamedRelation().getRemoteTableName(),
                quotedTable,
                changed.getUpdateAssignments().stream().map(JdbcAssignmentItem::column).collect(toImmutableList()),
                OldValues.filteredBy(changed),
                Undone.ALL);
    }

    private void check(ConnectorSession session, Connection connection, RemoteTableName table, String quotedTable, List<JdbcColumnHandle> written, List<JdbcColumnHandle> compared, Undone undone)
            throws SQLException
    {
        if (written.isEmpty() && compared.isEmpty()) {
            return;
        }
        String columns = Stream.concat(written.stream(), compared.stream()).map(JdbcColumnHandle::getColumnName).map(quoted).collect(joining(", "));
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(queryModifier.apply(session, "SELECT %s FROM %s LIMIT 0".formatted(columns, quotedTable)))) {
            ReceivedColumn.checkWritten(rows, written);
            ReceivedColumn.checkRead(rows, written.size(), compared);
        }
        catch (ChangedColumnException e) {
            throw new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s was altered while rows were written to it: %s. %s".formatted(nameOf(table), e.getMessage(), undone.advice), e);
        }
        catch (SQLException e) {
            // An account may write to columns that it may not read. MySQL compares none of these.
            if (!MysqlError.isPrivilegeMissing(e) || written.isEmpty()) {
                throw e;
            }
            check(session, connection, table, quotedTable, ImmutableList.of(), compared, undone);
        }
    }

    /** Returns the table's name for messages. base-jdbc puts the session's database in front of it, and there is none. */
    static String nameOf(RemoteTableName table)
    {
        return Stream.of(table.getCatalogName(), table.getSchemaName(), Optional.of(table.getTableName()))
                .flatMap(Optional::stream)
                .filter(name -> !name.isEmpty())
                .collect(joining("."));
    }
}
