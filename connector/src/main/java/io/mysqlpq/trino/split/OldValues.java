package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.type.RowType;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Says which values a row's id carries beside its key: those that the row had when a change of it was computed.
 *
 * <p>Trino asks for the id's type before it knows what a statement reads. The type has a field for each column whose values can be compared, and the field
 * holds NULL where the statement does not depend on that column.
 */
public final class OldValues
{
    private static final String FIELD = "old";

    private OldValues()
    {}

    /**
     * The type of a row's id: the columns of the key, then one row of the others. No column of MySQL has a ROW type, so nothing else is a row there.
     *
     * @param others columns that are not of the key
     */
    public static RowType rowIdType(List<JdbcColumnHandle> key, List<JdbcColumnHandle> others)
    {
        return RowType.from(Stream.concat(fields(key), others.isEmpty() ? Stream.of() : Stream.of(RowType.field(FIELD, RowType.from(fields(others).toList())))).toList());
    }

    private static Stream<RowType.Field> fields(List<JdbcColumnHandle> columns)
    {
        return columns.stream().map(column -> RowType.field(column.getColumnName(), column.getColumnType()));
    }

    /** The names of the key's columns in a type that rowIdType made. */
    public static List<String> keyNames(RowType rowId)
    {
        return names(rowId.getFields().stream().filter(field -> !(field.getType() instanceof RowType)));
    }

    /** The names of the other columns in a type that rowIdType made. */
    public static List<String> otherNames(RowType rowId)
    {
        return rowId.getFields().getLast().getType() instanceof RowType others ? names(others.getFields().stream()) : ImmutableList.of();
    }

    private static List<String> names(Stream<RowType.Field> fields)
    {
        return fields.map(RowType.Field::getName).map(Optional::orElseThrow).collect(toImmutableList());
    }

    /**
     * Those of some columns that a scan reads or filters by. The answer depends on the handle alone: the coordinator and all workers give the same.
     */
    public static List<JdbcColumnHandle> readBy(JdbcTableHandle scan, List<JdbcColumnHandle> columns)
    {
        if (scan.getColumns().isEmpty()) {
            return columns;
        }
        Set<String> read = Stream.concat(
                scan.getColumns().get().stream(),
                scan.getConstraint().getDomains().stream().flatMap(domains -> domains.keySet().stream()).map(JdbcColumnHandle.class::cast))
                .map(JdbcColumnHandle::getColumnName)
                .collect(toImmutableSet());
        return columns.stream()
                .filter(column -> read.contains(column.getColumnName()) || isNamed(scan, column.getColumnName()))
                .collect(toImmutableList());
    }

    // A pushed expression is text. One column more does no harm.
    private static boolean isNamed(JdbcTableHandle scan, String column)
    {
        String quoted = "`%s`".formatted(column.replace("`", "``"));
        return scan.getConstraintExpressions().stream().anyMatch(expression -> expression.expression().contains(quoted));
    }
}
