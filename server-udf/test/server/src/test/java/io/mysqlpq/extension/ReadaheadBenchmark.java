package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

import static java.util.Objects.requireNonNull;

/**
 * Measures native scans of tables twice as large as the buffer pool, with and without readahead in turn, and prints the tables
 * of docs/decisions/readahead.md. Takes minutes, so no set of tests runs it: {@code ./pq readahead} does.
 */
class ReadaheadBenchmark
{
    private static final int ROUNDS = 3;
    private static final int ROWS = 440_000;
    private static final int WINDOW = 256;
    private static final String TABLE = "s.t";
    private static final List<Integer> WINDOWS = List.of(0, WINDOW);

    private record Side(int ranges, int window)
    {
        @Override
        public String toString()
        {
            return "%s range%s | %s".formatted(ranges, ranges == 1 ? "" : "s", window == 0 ? "none" : "readahead");
        }
    }

    // Unbuffered, so that a page that is not in the pool comes from the disk.
    private static MysqlServerBuilder builder()
    {
        return MysqlServer.builder()
                .extension(true)
                .option("cte-max-recursion-depth", "1000000")
                .option("innodb-flush-method", "O_DIRECT")
                .option("innodb-buffer-pool-load-at-startup", "OFF")
                .option("innodb-buffer-pool-dump-at-shutdown", "OFF")
                .option("innodb-redo-log-capacity", "1G")
                .option("innodb-buffer-pool-size", "256M");
    }

    @Test
    void measureColdFragmentedTable()
    {
        try (MysqlServer server = builder().start()) {
            ScannedTable table = fragmented(server, ROWS);
            print("cold, fragmented", cold(table, List.of(1, 4), ROUNDS));
        }
    }

    // MySQL's own linear readahead sees pages that follow one another in the file.
    @Test
    void measureColdTableInOrder()
    {
        try (MysqlServer server = builder().start()) {
            server.execute(
                    "CREATE SCHEMA s",
                    "CREATE TABLE %s (k BIGINT PRIMARY KEY, v VARCHAR(1000) CHARACTER SET latin1)".formatted(TABLE),
                    "INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, REPEAT('x', 1000) FROM s".formatted(TABLE, ROWS));
            ScannedTable table = new ScannedTable(server, TABLE, ROWS);
            print("cold, in order", cold(table, List.of(1, 4), ROUNDS));
            print("cold, in order, innodb_read_ahead_threshold = 0", cold(table, List.of(1, 4), ROUNDS, "--innodb-read-ahead-threshold=0"));
        }
    }

    // As far away as a disk of a cloud; scripts/measure.sh tells by how much.
    @Test
    void measureSlowDisk()
    {
        Path library = Path.of(requireNonNull(System.getenv("PQ_SLOW_DISK"), "PQ_SLOW_DISK"));
        try (MysqlServer server = builder().preload(library).start()) {
            ScannedTable table = fragmented(server, ROWS / 4);
            print("cold, fragmented, slow disk", cold(table, List.of(1, 4), 3, "--innodb-buffer-pool-size=64M"));
        }
    }

    @Test
    void measureWarmTable()
    {
        try (MysqlServer server = builder().start()) {
            ScannedTable table = fragmented(server, ROWS);
            server.restart("--innodb-buffer-pool-size=1G");
            table.scan(1);
            Map<Side, List<ScanFigures>> figures = new LinkedHashMap<>();
            for (int round = 0; round < 8 * ROUNDS; round++) {
                for (int window : WINDOWS) {
                    server.execute("SET GLOBAL mysql_pq_readahead_window = " + window);
                    figures.computeIfAbsent(new Side(1, window), _ -> new ArrayList<>()).add(table.scan(1));
                }
            }
            print("warm", figures);
        }
    }

    @Test
    void measureUnderOltp()
    {
        try (MysqlServer server = builder().start()) {
            ScannedTable table = fragmented(server, ROWS);
            OltpLoad.createTable(server);
            System.out.println("| under OLTP | | scan, s | statements per s | median, ms | p99, ms |");
            System.out.println("|---|---|---|---|---|---|");
            Map<String, List<double[]>> figures = new LinkedHashMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                figures.computeIfAbsent("no scan | ", _ -> new ArrayList<>()).add(underOltp(table, 0));
                for (int ranges : List.of(1, 4)) {
                    for (int window : WINDOWS) {
                        server.restart("--loose-mysql-pq-readahead-window=" + window);
                        figures.computeIfAbsent(new Side(ranges, window).toString(), _ -> new ArrayList<>()).add(underOltp(table, ranges));
                    }
                }
            }
            figures.forEach((side, runs) -> System.out.printf(
                    Locale.ROOT,
                    "| %s | %.2f | %.0f | %.2f | %.1f |%n",
                    side, median(runs, run -> run[0]), median(runs, run -> run[1]), median(runs, run -> run[2]), median(runs, run -> run[3])));
        }
    }

    private static double[] underOltp(ScannedTable table, int ranges)
    {
        try (OltpLoad load = OltpLoad.start(table.server())) {
            LockSupport.parkNanos(2_000_000_000L);
            load.forget();
            long start = System.nanoTime();
            double scan = 0;
            if (ranges == 0) {
                LockSupport.parkNanos(3_000_000_000L);
            }
            else {
                scan = table.scan(ranges).seconds();
            }
            return new double[] {scan, load.statements() / ((System.nanoTime() - start) / 1e9), load.millis(0.5), load.millis(0.99)};
        }
    }

    private static ScannedTable fragmented(MysqlServer server, int rows)
    {
        server.restart("--innodb-buffer-pool-size=1G");
        server.execute("CREATE SCHEMA s", "CREATE TABLE %s (k BIGINT PRIMARY KEY, v VARCHAR(1000) CHARACTER SET latin1)".formatted(TABLE));
        FragmentedTable.fill(server, TABLE, rows);
        return new ScannedTable(server, TABLE, rows);
    }

    private static Map<Side, List<ScanFigures>> cold(ScannedTable table, List<Integer> ranges, int rounds, String... options)
    {
        Map<Side, List<ScanFigures>> figures = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (int count : ranges) {
                for (int window : WINDOWS) {
                    table.server().restart(options);
                    table.server().execute("SET GLOBAL mysql_pq_readahead_window = " + window);
                    figures.computeIfAbsent(new Side(count, window), _ -> new ArrayList<>()).add(table.scan(count));
                }
            }
        }
        return figures;
    }

    private static void print(String title, Map<Side, List<ScanFigures>> figures)
    {
        System.out.printf("| %s | readahead | s | reads | mean read, KB | reads per s | CPU, s | pages asked | looks |%n", title);
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        figures.forEach((side, runs) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.0f | %.1f | %.0f | %.2f | %.0f | %.0f |%n",
                side, median(runs, ScanFigures::seconds), median(runs, ScanFigures::reads), median(runs, run -> run.kilobytes() / Math.max(1, run.reads())),
                median(runs, run -> run.reads() / run.seconds()), median(runs, ScanFigures::cpu), median(runs, ScanFigures::asked), median(runs, ScanFigures::looks)));
    }

    private static <T> double median(List<T> runs, ToDoubleFunction<T> figure)
    {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
