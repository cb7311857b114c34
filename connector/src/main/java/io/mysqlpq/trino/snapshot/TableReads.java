package io.mysqlpq.trino.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds up how often the scans of one query read each table, in one run of the query. */
final class TableReads
{
    // Counts the scans of one run. All runs have the same scans.
    @GuardedBy("this")
    private final Map<RemoteTableName, Integer> scans = new HashMap<>();
    @GuardedBy("this")
    private final Set<RemoteTableName> kept = new HashSet<>();
    @GuardedBy("this")
    private int run;
    @GuardedBy("this")
    private final Map<RemoteTableName, Integer> plannedScans = new HashMap<>();
    @GuardedBy("this")
    private final Map<RemoteTableName, Long> reads = new HashMap<>();

    synchronized void addScan(List<RemoteTableName> tables)
    {
        tables.forEach(table -> scans.merge(table, 1, Integer::sum));
    }

    /** Leaves the table out: it is needed after its last read too. */
    synchronized void keep(RemoteTableName table)
    {
        kept.add(table);
    }

    /**
     * Takes note that a scan of the tables was planned. Returns those of the tables of which all reads are known from now on.
     *
     * @param scanRun in which run of the query the scan is. Its first scan begins a run, and earlier runs are then over
     */
    synchronized List<Expected> planned(List<RemoteTableName> tables, int scanRun, long readsOfEach)
    {
        if (scanRun < run) {
            return List.of();
        }
        if (scanRun > run) {
            run = scanRun;
            plannedScans.clear();
            reads.clear();
        }
        List<Expected> complete = new ArrayList<>();
        for (RemoteTableName table : tables) {
            long sum = reads.merge(table, readsOfEach, Long::sum);
            int planned = plannedScans.merge(table, 1, Integer::sum);
            if (!kept.contains(table) && planned == scans.getOrDefault(table, 0)) {
                complete.add(new Expected(table, sum));
            }
        }
        return complete;
    }

    /** @param reads in how many sessions, at most, the table will be read to the end, counted from the query's beginning */
    record Expected(RemoteTableName table, long reads)
    {}
}
