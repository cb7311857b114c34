package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scans one table natively in some ranges at once, and measures that.
 */
record ScannedTable(MysqlServer server, String name, int rows)
{
    private static final int BATCHES = 100;

    ScanFigures scan(int ranges)
    {
        List<Session> sessions = IntStream.rangeClosed(0, ranges).mapToObj(_ -> new Session(server)).toList();
        try {
            Session donor = sessions.getFirst();
            donor.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(name));
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            List<Session> readers = sessions.subList(1, ranges + 1);
            for (Session reader : readers) {
                reader.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(name));
                reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            }
            List<String> bounds = RangePlan.ask(donor, name, "PRIMARY", ranges).boundaries().stream().map(boundary -> "[\"%s\"]".formatted(boundary.getFirst())).toList();
            ScanFigures before = ScanFigures.now(server, donor);
            assertThat(scanAll(readers, token, bounds)).isEqualTo(rows);
            return ScanFigures.now(server, donor).since(before);
        }
        finally {
            sessions.forEach(Session::close);
        }
    }

    private long scanAll(List<Session> readers, String token, List<String> bounds)
    {
        List<Callable<Long>> scans = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            Session reader = readers.get(i);
            String lower = i == 0 ? "" : "\"lower\": %s, ".formatted(bounds.get(i - 1));
            String upper = i == bounds.size() ? "" : "\"upper\": %s, ".formatted(bounds.get(i));
            scans.add(() -> scan(reader, NativeScan.sql(name, token, "{\"rows\": 65536, %s%s\"columns\": [[\"k\", \"int64\"]]}".formatted(lower, upper), BATCHES)));
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(readers.size())) {
            long scanned = 0;
            for (Future<Long> scan : executor.invokeAll(scans)) {
                scanned += scan.get();
            }
            return scanned;
        }
        catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("A scan failed", e);
        }
    }

    // Only the number of rows leaves the server, from each batch's header: it is the server that is measured.
    private static long scan(Session reader, String sql)
    {
        String counts = sql.replace("SELECT mysql_pq_scan(", "SELECT CONV(HEX(REVERSE(SUBSTR(mysql_pq_scan(").replace(") FROM", "), 9, 4))), 16, 10) FROM");
        return reader.values(counts).stream().filter(value -> value != null).mapToLong(Long::parseLong).sum();
    }
}
