package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcMergeTableHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.BaseJdbcClient.nonRepeatNames;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Writes the SQL of a MERGE that becomes visible at once: its changes are collected in temporary tables, and then
 * applied in one transaction.
 *
 * <p>A table of changes has the new values, then the key of the row that they are for, and the id of the writer, since
 * changes of a task that is tried again count once.
 */
final class MergeChanges
{
    private static final String WRITER_ID = "trino_page_sink_id";

    private final JdbcClient client;

    MergeChanges(JdbcClient client)
    {
        this.client = requireNonNull(client, "client is null");
    }

    static JdbcOutputTableHandle handle(RemoteTableName table, String temporaryName, List<JdbcColumnHandle> updated, List<JdbcColumnHandle> key)
    {
        List<JdbcColumnHandle> columns = columns(updated, key);
        List<String> names = names(updated, key);
        return new JdbcOutputTableHandle(
                // base-jdbc wants a schema here.
                new RemoteTableName(Optional.empty(), table.getCatalogName(), table.getTableName()),
                names,
                columns.stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList()),
                Optional.of(columns.stream().map(JdbcColumnHandle::getJdbcTypeHandle).collect(toImmutableList())),
                Optional.of(temporaryName),
                Optional.of(nonRepeatNames(WRITER_ID, names)));
    }

    private static List<JdbcColumnHandle> columns(List<JdbcColumnHandle> updated, List<JdbcColumnHandle> key)
    {
        return Stream.concat(updated.stream(), key.stream()).collect(toImmutableList());
    }

    // A key's column may be updated too. Where MySQL generates keys, it takes no other column by their name.
    private static List<String> names(List<JdbcColumnHandle> updated, List<JdbcColumnHandle> key)
    {
        List<String> updatedNames = updated.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableList());
        List<String> allNames = columns(updated, key).stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableList());
        return Stream.concat(
                updatedNames.stream(),
                key.stream().map(column -> updatedNames.contains(column.getColumnName()) || GeneratedKeys.isNamedSo(column.getColumnName()) ? nonRepeatNames(column.getColumnName(), allNames) : column.getColumnName()))
                .collect(toImmutableList());
    }

    /** Columns are copied with their types and collations, so that keys compare as in the table itself. */
    String createSql(JdbcOutputTableHandle changes, List<JdbcColumnHandle> updated, List<JdbcColumnHandle> key)
    {
        List<JdbcColumnHandle> columns = columns(updated, key);
        return "CREATE TABLE %s (%s BIGINT) AS SELECT %s FROM %s WHERE 0 = 1".formatted(
                client.quoted(temporaryTable(changes)),
                client.quoted(changes.getPageSinkIdColumnName().orElseThrow()),
                IntStream.range(0, columns.size())
                        .mapToObj(index -> "%s AS %s".formatted(client.quoted(columns.get(index).getColumnName()), client.quoted(changes.getColumnNames().get(index))))
                        .collect(joining(", ")),
                client.quoted(changes.getRemoteTableName()));
    }

    static List<JdbcOutputTableHandle> temporaryTables(JdbcMergeTableHandle merge)
    {
        return ImmutableList.<JdbcOutputTableHandle>builder()
                .addAll(merge.getDeleteOutputTableHandle().stream().iterator())
                .addAll(merge.getUpdateOutputTableHandle().values())
                .add(merge.getOutputTableHandle())
                .build();
    }

    /** Deletes first: what they free may be taken again. */
    List<String> applySqls(JdbcMergeTableHandle merge, Set<Long> writerIds)
    {
        if (writerIds.isEmpty()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<String> sqls = ImmutableList.builder();
        merge.getDeleteOutputTableHandle().ifPresent(changes -> sqls.add("DELETE %s FROM %s WHERE %s".formatted(target(changes), join(merge, changes), written(changes, writerIds))));
        merge.getUpdateOutputTableHandle().values().forEach(changes -> sqls.add("UPDATE %s SET %s WHERE %s".formatted(join(merge, changes), assignments(merge, changes), written(changes, writerIds))));
        if (merge.getOutputTableHandle().getTemporaryTableName().isPresent()) {
            sqls.addAll(insertSqls(merge.getOutputTableHandle(), writerIds));
        }
        return sqls.build();
    }

    private String join(JdbcMergeTableHandle merge, JdbcOutputTableHandle changes)
    {
        List<JdbcColumnHandle> key = merge.getPrimaryKeys();
        List<String> names = changes.getColumnNames().subList(changes.getColumnNames().size() - key.size(), changes.getColumnNames().size());
        return "%s JOIN %s c ON %s".formatted(
                target(changes),
                client.quoted(temporaryTable(changes)),
                IntStream.range(0, key.size())
                        .mapToObj(index -> "%s.%s = c.%s".formatted(target(changes), client.quoted(key.get(index).getColumnName()), client.quoted(names.get(index))))
                        .collect(joining(" AND ")));
    }

    // MySQL looks for an alias to delete from in the session's database, of which there is none.
    private String target(JdbcOutputTableHandle changes)
    {
        return client.quoted(changes.getRemoteTableName());
    }

    private String assignments(JdbcMergeTableHandle merge, JdbcOutputTableHandle changes)
    {
        return changes.getColumnNames().subList(0, changes.getColumnNames().size() - merge.getPrimaryKeys().size()).stream()
                .map(name -> "%s.%s = c.%2$s".formatted(target(changes), client.quoted(name)))
                .collect(joining(", "));
    }

    /** Without writers' ids all that was staged. */
    List<String> insertSqls(JdbcOutputTableHandle inserts, Set<Long> writerIds)
    {
        boolean identified = inserts.getPageSinkIdColumnName().isPresent();
        return identified && writerIds.isEmpty() ? ImmutableList.of() : ImmutableList.of(insertSql(inserts) + (identified ? " WHERE " + written(inserts, writerIds) : ""));
    }

    private String insertSql(JdbcOutputTableHandle inserts)
    {
        String columns = inserts.getColumnNames().stream().map(client::quoted).collect(joining(", "));
        return "INSERT INTO %s (%s) SELECT %2$s FROM %s c".formatted(client.quoted(inserts.getRemoteTableName()), columns, client.quoted(temporaryTable(inserts)));
    }

    private String written(JdbcOutputTableHandle changes, Set<Long> writerIds)
    {
        return "c.%s IN (%s)".formatted(
                client.quoted(changes.getPageSinkIdColumnName().orElseThrow()),
                writerIds.stream().map(String::valueOf).collect(joining(", ")));
    }

    private static RemoteTableName temporaryTable(JdbcOutputTableHandle changes)
    {
        RemoteTableName table = changes.getRemoteTableName();
        return new RemoteTableName(table.getCatalogName(), table.getSchemaName(), changes.getTemporaryTableName().orElseThrow());
    }
}
