package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Names a table of a read, and the columns that a reader has to ask MySQL for before it trusts the rows.
 *
 * @param unreturned columns, as the query was planned on them, that the SQL names and the read does not return as they are. MySQL tells the
 * type of each returned column. It does not tell the types of columns that only filter, order, group or join rows
 */
public record SplitTable(RemoteTableName name, List<JdbcColumnHandle> unreturned)
{
    // Names are short; their exact size is not worth a walk for each split.
    private static final int NAME_SIZE = 256;

    public SplitTable
    {
        requireNonNull(name, "name is null");
        unreturned = ImmutableList.copyOf(unreturned);
    }

    /** The table of a scan as the coordinator has it. */
    static SplitTable of(JdbcTableHandle scan)
    {
        Set<String> returned = scan.getColumns().stream().flatMap(List::stream).map(JdbcColumnHandle::getColumnName).collect(toImmutableSet());
        List<JdbcColumnHandle> unreturned = named(scan).stream()
                .filter(column -> !returned.contains(column.getColumnName()))
                .collect(toImmutableList());
        return new SplitTable(scan.getRequiredNamedRelation().getRemoteTableName(), unreturned);
    }

    static Set<JdbcColumnHandle> named(JdbcTableHandle scan)
    {
        return NamedColumns.of(scan).orElseThrow(() -> new IllegalStateException("Columns of a pushed expression are not known: " + scan));
    }

    long retainedBytes()
    {
        return NAME_SIZE + unreturned.stream().mapToLong(JdbcColumnHandle::getRetainedSizeInBytes).sum();
    }
}
