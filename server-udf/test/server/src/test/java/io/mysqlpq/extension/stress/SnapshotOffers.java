package io.mysqlpq.extension.stress;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Holds the snapshot that a donor offered last, and states what may go wrong with it.
 */
final class SnapshotOffers
{
    // No such table or partition; function uninstalled; deadlock; lock wait; query killed; the table is newer than the snapshot.
    private static final Set<Integer> DOCUMENTED = Set.of(1146, 1305, 1046, 1122, 1213, 1205, 1317, 1412);
    private static final Set<String> OWN = Set.of("disabled", "no_such_snapshot", "too_many_snapshots", "snapshot_expired", "gave_way", "too_many_scans");

    static final List<String> TABLES = Stream.concat(StressTables.WRITTEN.stream(), Stream.of(StressTables.CHURNED, "parts")).toList();

    private final AtomicReference<Offer> last = new AtomicReference<>();

    // The token of a snapshot, and what its donor saw in one table.
    record Offer(String token, String table, String state)
    {}

    void put(Offer offer)
    {
        last.set(offer);
    }

    // Null before the first.
    Offer last()
    {
        return last.get();
    }

    static String state(String table)
    {
        return "SELECT CONCAT(COUNT(*), ' ', COALESCE(BIT_XOR(CRC32(CONCAT_WS(':', k, n, v, x))), 0)) FROM s." + table;
    }

    static void assertDocumented(SQLException e)
            throws SQLException
    {
        if (StressWorker.isLost(e)) {
            throw e;
        }
        boolean own = OWN.stream().anyMatch(code -> e.getMessage().startsWith("mysql_pq: %s: ".formatted(code)));
        if (!DOCUMENTED.contains(e.getErrorCode()) && !(e.getErrorCode() == 3200 && own)) {
            throw new AssertionError("Not a documented error: %s %s".formatted(e.getErrorCode(), e.getMessage()), e);
        }
    }
}
