package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.split.OldValues;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/**
 * Says which columns to read when Trino wants rows with their ids.
 *
 * @param scanned columns to read from MySQL: those that Trino wants, the key's, and those whose old values the id carries
 * @param keyChannels where the key's columns stand among those scanned
 * @param oldTypes types of the id's fields for old values
 * @param oldChannels where the columns of these fields stand among those scanned; empty for a field that holds NULL
 * @param outputChannels where Trino's columns stand among those scanned; empty for the row id
 */
record MergeRowIdColumns(List<JdbcColumnHandle> scanned, List<Integer> keyChannels, List<Type> oldTypes, List<Optional<Integer>> oldChannels, List<Optional<Integer>> outputChannels)
{
    MergeRowIdColumns
    {
        scanned = ImmutableList.copyOf(scanned);
        keyChannels = ImmutableList.copyOf(keyChannels);
        oldTypes = ImmutableList.copyOf(oldTypes);
        oldChannels = ImmutableList.copyOf(oldChannels);
        outputChannels = ImmutableList.copyOf(outputChannels);
    }

    static boolean isRowId(JdbcColumnHandle column)
    {
        return column.getColumnName().equals(MERGE_ROW_ID);
    }

    /** @param ofIds what the split says that ids are read from */
    static MergeRowIdColumns of(List<JdbcColumnHandle> wanted, JdbcTableHandle table, List<JdbcColumnHandle> ofIds)
    {
        RowType rowId = (RowType) wanted.stream().filter(MergeRowIdColumns::isRowId).collect(onlyElement()).getColumnType();
        // Where a scan has no list of columns, Trino wants all that there are.
        KnownColumns known = new KnownColumns(table, table.getColumns().isPresent() ? ofIds : wanted);
        List<JdbcColumnHandle> key = OldValues.keys(rowId).stream().map(known::required).collect(toImmutableList());
        List<RowType.Field> others = OldValues.others(rowId);
        List<Optional<JdbcColumnHandle>> old = others.stream().map(known::column).collect(toImmutableList());
        Set<JdbcColumnHandle> distinct = new LinkedHashSet<>();
        wanted.stream().filter(column -> !isRowId(column)).forEach(distinct::add);
        distinct.addAll(key);
        old.forEach(column -> column.ifPresent(distinct::add));
        List<JdbcColumnHandle> scanned = ImmutableList.copyOf(distinct);
        return new MergeRowIdColumns(
                scanned,
                key.stream().map(scanned::indexOf).collect(toImmutableList()),
                others.stream().map(RowType.Field::getType).collect(toImmutableList()),
                old.stream().map(column -> column.map(scanned::indexOf)).collect(toImmutableList()),
                wanted.stream().map(column -> isRowId(column) ? Optional.<Integer>empty() : Optional.of(scanned.indexOf(column))).collect(toImmutableList()));
    }

    private record KnownColumns(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        private Optional<JdbcColumnHandle> column(RowType.Field field)
        {
            String name = field.getName().orElseThrow();
            Optional<JdbcColumnHandle> found = columns.stream().filter(column -> column.getColumnName().equals(name)).findFirst();
            found.filter(column -> !column.getColumnType().equals(field.getType())).ifPresent(column -> {
                throw altered("column %s is %s, and was %s".formatted(name, column.getColumnType().getDisplayName(), field.getType().getDisplayName()));
            });
            return found;
        }

        private JdbcColumnHandle required(RowType.Field field)
        {
            return column(field).orElseThrow(() -> altered("there is no column %s any more".formatted(field.getName().orElseThrow())));
        }

        private TrinoException altered(String what)
        {
            return new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s was altered after the query was planned: %s. Run the query again".formatted(table.getRequiredNamedRelation().getRemoteTableName(), what));
        }
    }
}
