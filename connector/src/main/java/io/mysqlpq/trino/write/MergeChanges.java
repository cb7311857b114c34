package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcMergeTableHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static io.mysqlpq.trino.write.RowChangeTables.quotedTarget;
import static io.mysqlpq.trino.write.RowChangeTables.quotedTemporary;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Writes the SQL of a MERGE that becomes visible at once. Its changes are collected in temporary tables. One transaction then applies them,
 * if all rows that they change are still as they were read.
 */
final class MergeChanges
{
    private final RowChangeHandle merge;
    private final RowChangeTables tables;
    private final Set<Long> writerIds;
    private final boolean invalidDatesAreNull;

    MergeChanges(RowChangeHandle merge, Set<Long> writerIds, boolean invalidDatesAreNull)
    {
        this.merge = requireNonNull(merge, "merge is null");
        this.tables = new RowChangeTables(merge.getPrimaryKeys(), merge.old());
        this.writerIds = ImmutableSet.copyOf(writerIds);
        this.invalidDatesAreNull = invalidDatesAreNull;
    }

    static List<JdbcOutputTableHandle> temporaryTables(JdbcMergeTableHandle merge)
    {
        return Stream.concat(changes(merge), Stream.of(merge.getOutputTableHandle())).collect(toImmutableList());
    }

    private static Stream<JdbcOutputTableHandle> changes(JdbcMergeTableHandle merge)
    {
        return Stream.concat(merge.getDeleteOutputTableHandle().stream(), merge.getUpdateOutputTableHandle().values().stream());
    }

    /**
     * Returns statements. Each finds the key of a row that is no longer as it was read, and locks the rows that still are. The locks keep
     * these rows unchanged until the transaction ends.
     */
    List<String> conflictSqls()
    {
        return writerIds.isEmpty() ? ImmutableList.of() : changes(merge).map(this::conflictSql).collect(toImmutableList());
    }

    private String conflictSql(JdbcOutputTableHandle changes)
    {
        return "SELECT %s FROM %s c LEFT JOIN %s ON %s WHERE %s AND (%s IS NULL OR NOT (%s)) LIMIT 1 FOR UPDATE".formatted(
                tables.keyNames(changes).stream().map(name -> "c." + quoted(name)).collect(joining(", ")),
                quotedTemporary(changes),
                quotedTarget(changes),
                isSameRow(changes),
                written(changes),
                current(changes, tables.key().getFirst()),
                isUnchanged(changes));
    }

    private String isUnchanged(JdbcOutputTableHandle changes)
    {
        return tables.old().isUnchanged(column -> current(changes, column), tables.keptNames(changes).stream().map(name -> "c." + quoted(name)).collect(toImmutableList()), invalidDatesAreNull);
    }

    /** Deletes first: what they free may be taken again. */
    List<String> applySqls()
    {
        if (writerIds.isEmpty()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<String> sqls = ImmutableList.builder();
        merge.getDeleteOutputTableHandle().ifPresent(changes -> sqls.add("DELETE %s FROM %s WHERE %s".formatted(quotedTarget(changes), join(changes), written(changes))));
        merge.getUpdateOutputTableHandle().values().forEach(changes -> sqls.add("UPDATE %s SET %s WHERE %s".formatted(join(changes), assignments(changes), written(changes))));
        if (merge.getOutputTableHandle().getTemporaryTableName().isPresent()) {
            sqls.addAll(insertSqls(merge.getOutputTableHandle(), writerIds));
        }
        return sqls.build();
    }

    private String join(JdbcOutputTableHandle changes)
    {
        return "%s JOIN %s c ON %s".formatted(quotedTarget(changes), quotedTemporary(changes), isSameRow(changes));
    }

    private String isSameRow(JdbcOutputTableHandle changes)
    {
        List<String> names = tables.keyNames(changes);
        return IntStream.range(0, names.size())
                .mapToObj(index -> "%s = c.%s".formatted(current(changes, tables.key().get(index)), quoted(names.get(index))))
                .collect(joining(" AND "));
    }

    private String assignments(JdbcOutputTableHandle changes)
    {
        return tables.updatedNames(changes).stream()
                .map(name -> "%s.%s = c.%2$s".formatted(quotedTarget(changes), quoted(name)))
                .collect(joining(", "));
    }

    private static String current(JdbcOutputTableHandle changes, JdbcColumnHandle column)
    {
        return "%s.%s".formatted(quotedTarget(changes), quoted(column.getColumnName()));
    }

    /** Writes the rows that these writers have staged; all of them where they have no ids. */
    static List<String> insertSqls(JdbcOutputTableHandle inserts, Set<Long> writerIds)
    {
        boolean identified = inserts.getPageSinkIdColumnName().isPresent();
        return identified && writerIds.isEmpty() ? ImmutableList.of() : ImmutableList.of(insertSql(inserts) + (identified ? " WHERE " + written(inserts, writerIds) : ""));
    }

    private static String insertSql(JdbcOutputTableHandle inserts)
    {
        String columns = inserts.getColumnNames().stream().map(name -> quoted(name)).collect(joining(", "));
        return "INSERT INTO %s (%s) SELECT %2$s FROM %s c".formatted(quotedTarget(inserts), columns, quotedTemporary(inserts));
    }

    private String written(JdbcOutputTableHandle changes)
    {
        return written(changes, writerIds);
    }

    private static String written(JdbcOutputTableHandle changes, Set<Long> writerIds)
    {
        return "c.%s IN (%s)".formatted(
                quoted(changes.getPageSinkIdColumnName().orElseThrow()),
                writerIds.stream().map(String::valueOf).collect(joining(", ")));
    }
}
