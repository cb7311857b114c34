package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static io.trino.plugin.jdbc.BaseJdbcClient.nonRepeatNames;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Describes the temporary tables that collect the changed rows of a MERGE.
 *
 * <p>A row has the new values, the key of the row that they belong to, what is kept of the values that were read, and the id of the writer:
 * if a task is tried again, its changes count once.
 *
 * @param key the primary key's columns
 * @param old what is kept of the values that were read
 */
record RowChangeTables(List<JdbcColumnHandle> key, KeptValues old)
{
    private static final String WRITER_ID = "trino_page_sink_id";

    RowChangeTables
    {
        key = ImmutableList.copyOf(key);
        requireNonNull(old, "old is null");
    }

    JdbcOutputTableHandle handle(RemoteTableName table, String temporaryName, List<JdbcColumnHandle> updated)
    {
        List<JdbcColumnHandle> columns = Stream.of(updated.stream(), key.stream(), old.columns().stream()).flatMap(stream -> stream).collect(toImmutableList());
        List<String> names = names(updated);
        return new JdbcOutputTableHandle(
                // base-jdbc wants a schema here.
                new RemoteTableName(Optional.empty(), table.getCatalogName(), table.getTableName()),
                names,
                columns.stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList()),
                Optional.of(columns.stream().map(JdbcColumnHandle::getJdbcTypeHandle).collect(toImmutableList())),
                Optional.of(temporaryName),
                Optional.of(unlike(WRITER_ID, names)));
    }

    // Updated columns keep their names. A key's column may be updated too, and where MySQL generates keys it takes no other column by their name.
    private List<String> names(List<JdbcColumnHandle> updated)
    {
        List<String> names = new ArrayList<>(updated.stream().map(JdbcColumnHandle::getColumnName).toList());
        IntStream.range(0, key.size()).forEach(index -> names.add(unlike("key_" + index, names)));
        IntStream.range(0, old.columns().size()).forEach(index -> names.add(unlike("old_" + index, names)));
        return names;
    }

    // MySQL takes names of columns that differ in case for the same.
    private static String unlike(String name, List<String> others)
    {
        return nonRepeatNames(name, others.stream().map(other -> other.toLowerCase(ENGLISH)).toList());
    }

    List<String> keyNames(JdbcOutputTableHandle changes)
    {
        int end = changes.getColumnNames().size() - old.columns().size();
        return changes.getColumnNames().subList(end - key.size(), end);
    }

    List<String> keptNames(JdbcOutputTableHandle changes)
    {
        return changes.getColumnNames().subList(changes.getColumnNames().size() - old.columns().size(), changes.getColumnNames().size());
    }

    List<String> updatedNames(JdbcOutputTableHandle changes)
    {
        return changes.getColumnNames().subList(0, changes.getColumnNames().size() - old.columns().size() - key.size());
    }

    /** Columns are copied with their types and collations, so that values compare as in the table itself. */
    String createSql(JdbcOutputTableHandle changes, List<JdbcColumnHandle> updated)
    {
        List<JdbcColumnHandle> kept = old.columns();
        List<String> keptNames = keptNames(changes);
        List<Optional<String>> keptDefinitions = old.definitions();
        Stream<String> definitions = Stream.concat(
                Stream.of("%s BIGINT".formatted(quoted(changes.getPageSinkIdColumnName().orElseThrow()))),
                IntStream.range(0, kept.size()).boxed().flatMap(index -> keptDefinitions.get(index).map(definition -> "%s %s".formatted(quoted(keptNames.get(index)), definition)).stream()));
        Stream<String> copies = Stream.of(
                copies(updated, updatedNames(changes)),
                copies(key, keyNames(changes)),
                IntStream.range(0, kept.size()).filter(index -> keptDefinitions.get(index).isEmpty()).mapToObj(index -> copy(kept.get(index), keptNames.get(index))))
                .flatMap(stream -> stream);
        return "CREATE TABLE %s (%s) AS SELECT %s FROM %s WHERE 0 = 1".formatted(
                quotedTemporary(changes),
                definitions.collect(joining(", ")),
                copies.collect(joining(", ")),
                quotedTarget(changes));
    }

    private static Stream<String> copies(List<JdbcColumnHandle> columns, List<String> names)
    {
        return IntStream.range(0, columns.size()).mapToObj(index -> copy(columns.get(index), names.get(index)));
    }

    private static String copy(JdbcColumnHandle column, String name)
    {
        return "%s AS %s".formatted(quoted(column.getColumnName()), quoted(name));
    }

    /** MySQL looks for an alias to delete from in the session's database, of which there is none, so the table is always named in full. */
    static String quotedTarget(JdbcOutputTableHandle changes)
    {
        return quoted(database(changes)) + "." + quoted(changes.getRemoteTableName().getTableName());
    }

    static String quotedTemporary(JdbcOutputTableHandle changes)
    {
        return quoted(database(changes)) + "." + quoted(changes.getTemporaryTableName().orElseThrow());
    }

    // base-jdbc's handles of writes have the database as their schema.
    private static String database(JdbcOutputTableHandle changes)
    {
        return changes.getRemoteTableName().getSchemaName().orElseThrow();
    }
}
