package io.mysqlpq.trino.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds up how often the scans of one query read each table. */
final class TableReads
{
    @GuardedBy("this")
    private final Map<RemoteTableName, Integer> unplannedScans = new HashMap<>();
    @GuardedBy("this")
    private final Map<RemoteTableName, Long> reads = new HashMap<>();
    // Those of which was told, and those of which nothing will be.
    @GuardedBy("this")
    private final Set<RemoteTableName> told = new HashSet<>();

    synchronized void addScan(List<RemoteTableName> tables)
    {
        tables.forEach(table -> unplannedScans.merge(table, 1, Integer::sum));
    }

    /** Leaves the table out: it is needed after its last read too. */
    synchronized void keep(RemoteTableName table)
    {
        told.add(table);
    }

    /** Tells that a scan of the tables was planned, and returns of which of them all reads are known from now on. */
    synchronized List<Expected> planned(List<RemoteTableName> tables, long readsOfEach)
    {
        List<Expected> complete = new ArrayList<>();
        for (RemoteTableName table : tables) {
            long sum = reads.merge(table, readsOfEach, Long::sum);
            // A scan that is planned once more, after a retry, reads what may be free already: see the extension's adopt.
            if (unplannedScans.merge(table, -1, Integer::sum) == 0 && told.add(table)) {
                complete.add(new Expected(table, sum));
            }
        }
        return complete;
    }

    /** @param reads in how many sessions the table will be read to the end, at most, from the query's begin on */
    record Expected(RemoteTableName table, long reads)
    {}
}
