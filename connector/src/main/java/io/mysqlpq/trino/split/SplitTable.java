package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Names a table of a read, and what no result tells of it.
 *
 * @param unreturned columns that the read depends on and does not return as they are, as the query was planned on them. MySQL says of a result's columns what
 *         they are; whether one is still what it was that a row is only filtered, grouped or joined by, the reader has to ask.
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
        List<JdbcColumnHandle> unreturned = NamedColumns.of(scan)
                .orElseThrow(() -> new IllegalStateException("Columns of a pushed expression are not known: " + scan))
                .stream()
                .filter(column -> !returned.contains(column.getColumnName()))
                .collect(toImmutableList());
        return new SplitTable(scan.getRequiredNamedRelation().getRemoteTableName(), unreturned);
    }

    long retainedBytes()
    {
        return NAME_SIZE + unreturned.stream().mapToLong(column -> estimatedSizeOf(column.getColumnName()) + column.getRetainedSizeInBytes()).sum();
    }
}
