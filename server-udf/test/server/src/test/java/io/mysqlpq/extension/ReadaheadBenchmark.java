package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Measures native scans of a fragmented table twice as large as the buffer pool, with and without readahead, and prints
 * the tables of docs/decisions/readahead.md. Takes minutes, so no set of tests runs it: {@code ./pq readahead} does.
 */
@TestInstance(PER_CLASS)
class ReadaheadBenchmark
{
    private static final int ROUNDS = Integer.getInteger("pq.rounds", 5);
    private static final int ROWS = 440_000;
    private static final int BATCHES = 100;
    private static final String TABLE = "s.fragmented";

    // Unbuffered, so that a page that is not in the pool comes from the disk.
    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .extension(true)
            .option("cte-max-recursion-depth", "1000000")
            .option("innodb-flush-method", "O_DIRECT")
            .option("innodb-buffer-pool-load-at-startup", "OFF")
            .option("innodb-buffer-pool-dump-at-shutdown", "OFF")
            .option("innodb-buffer-pool-size", "256M")
            .option("innodb-redo-log-capacity", "1G")
            .start();

    private record Side(int ranges, int window)
    {
        @Override
        public String toString()
        {
            return "%s range%s, %s".formatted(ranges, ranges == 1 ? "" : "s", window == 0 ? "no readahead" : "window " + window);
        }
    }

    @Test
    void measureColdScans()
    {
        fill();
        List<Side> sides = new ArrayList<>();
        for (int ranges : List.of(1, 4)) {
            for (String window : System.getProperty("pq.windows", "0,256").split(",", -1)) {
                sides.add(new Side(ranges, Integer.parseInt(window)));
            }
        }
        Map<Side, List<ScanFigures>> figures = new TreeMap<>((left, right) -> Integer.compare(sides.indexOf(left), sides.indexOf(right)));
        for (int round = 0; round < ROUNDS; round++) {
            for (Side side : sides) {
                server.restart();
                figures.computeIfAbsent(side, _ -> new ArrayList<>()).add(scan(side));
            }
        }
        System.out.println("| cold scan | seconds | reads | mean KB | reads per s | CPU s | asked | resident | looks |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        figures.forEach((side, runs) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.0f | %.1f | %.0f | %.2f | %.0f | %.0f | %.0f |%n",
                side, median(runs, ScanFigures::seconds), median(runs, ScanFigures::reads), median(runs, run -> run.kilobytes() / run.reads()), median(runs, run -> run.reads() / run.seconds()),
                median(runs, ScanFigures::cpu), median(runs, ScanFigures::asked), median(runs, ScanFigures::resident), median(runs, ScanFigures::looks)));
    }

    // In an order in which a page that follows another by its keys is anywhere in the file.
    private void fill()
    {
        server.restart("--innodb-buffer-pool-size=1G");
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE %s (k BIGINT PRIMARY KEY, v VARCHAR(1000) CHARACTER SET latin1)".formatted(TABLE),
                "INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i * 2654435761 %% 4294967296, REPEAT('x', 800) FROM s".formatted(TABLE, ROWS));
    }

    private ScanFigures scan(Side side)
    {
        try (Session donor = new Session(server)) {
            donor.execute("SET GLOBAL mysql_pq_readahead_window = " + side.window(), "START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(TABLE));
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            List<String> bounds = RangePlan.ask(donor, TABLE, "PRIMARY", side.ranges()).boundaries().stream().map(boundary -> "[\"%s\"]".formatted(boundary.getFirst())).toList();
            List<Session> readers = new ArrayList<>();
            for (int i = 0; i < side.ranges(); i++) {
                Session reader = new Session(server);
                readers.add(reader.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(TABLE)));
                reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            }
            ScanFigures before = ScanFigures.now(server, donor);
            long rows = scanAll(readers, token, bounds);
            ScanFigures figures = ScanFigures.now(server, donor).since(before);
            readers.forEach(Session::close);
            assertThat(rows).isEqualTo(ROWS);
            return figures;
        }
    }

    private static long scanAll(List<Session> readers, String token, List<String> bounds)
    {
        List<Callable<Long>> scans = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            Session reader = readers.get(i);
            String lower = i == 0 ? "" : "\"lower\": %s, ".formatted(bounds.get(i - 1));
            String upper = i == bounds.size() ? "" : "\"upper\": %s, ".formatted(bounds.get(i));
            scans.add(() -> rows(reader, NativeScan.sql(TABLE, token, "{\"rows\": 65536, %s%s\"columns\": [[\"k\", \"int64\"]]}".formatted(lower, upper), BATCHES)));
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(readers.size())) {
            long rows = 0;
            for (Future<Long> scan : executor.invokeAll(scans)) {
                rows += scan.get();
            }
            return rows;
        }
        catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("A scan failed", e);
        }
    }

    private static long rows(Session reader, String sql)
    {
        // Of the header, the number of rows.
        String counts = sql.replace("SELECT mysql_pq_scan(", "SELECT CONV(HEX(REVERSE(SUBSTR(mysql_pq_scan(").replace(") FROM", "), 9, 4))), 16, 10) FROM");
        return reader.values(counts).stream().filter(value -> value != null).mapToLong(Long::parseLong).sum();
    }

    private static double median(List<ScanFigures> runs, ToDoubleFunction<ScanFigures> figure)
    {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
