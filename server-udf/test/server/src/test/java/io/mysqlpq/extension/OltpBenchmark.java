package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures what scans of a warm table cost those who read and write single rows meanwhile, natively and by SQL in turn, and how soon a scan ends
 * that is killed. Prints the tables of docs/decisions/native-scan.md. Takes minutes, so no set of tests runs it: {@code ./pq oltp} does.
 */
class OltpBenchmark
{
    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = 5_000_000_000L;
    private static final int KILLS = 200;
    private static final int ROWS = 2_000_000;
    private static final String TABLE = "s.t";
    private static final String COLUMNS = "k, a, b, c, d, v";

    private enum Way
    {
        NATIVE_ROWS("natively"),
        NATIVE_GROUPS("natively, in groups"),
        SQL("by SQL");

        private final String words;

        Way(String words)
        {
            this.words = words;
        }
    }

    private record Side(int ranges, Way way)
    {
        @Override
        public String toString()
        {
            return ranges == 0 ? "no scan | " : "%s range%s | %s".formatted(ranges, ranges == 1 ? "" : "s", way.words);
        }
    }

    private record Figures(double scannedRows, double statements, double median, double p99)
    {}

    private static MysqlServer start()
    {
        MysqlServer server = MysqlServer.builder()
                .extension(true)
                .option("cte-max-recursion-depth", "10000000")
                .option("innodb-redo-log-capacity", "1G")
                .option("innodb-flush-log-at-trx-commit", "2")
                .option("innodb-buffer-pool-size", "1G")
                .start();
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE %s (k BIGINT PRIMARY KEY, a INT, b DECIMAL(12, 2), c DATE, d DATETIME, v VARCHAR(100))".formatted(TABLE),
                """
                INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s)
                    SELECT i, i, i / 7, DATE'2020-01-01' + INTERVAL i %% 2000 DAY, '2024-02-29 01:02:03', REPEAT('x', i %% 90) FROM s""".formatted(TABLE, ROWS));
        OltpLoad.createTable(server);
        return server;
    }

    @Test
    void measureOthers()
    {
        try (MysqlServer server = start()) {
            List<Side> sides = new ArrayList<>(List.of(new Side(0, Way.SQL)));
            for (int ranges : new int[] {1, 4}) {
                Arrays.stream(Way.values()).forEach(way -> sides.add(new Side(ranges, way)));
            }
            Map<Side, List<Figures>> figures = new LinkedHashMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (Side side : sides) {
                    figures.computeIfAbsent(side, _ -> new ArrayList<>()).add(measure(server, side));
                }
            }
            System.out.println("| scan | | rows scanned per s | statements per s | median, ms | p99, ms |");
            System.out.println("|---|---|---|---|---|---|");
            figures.forEach((side, runs) -> System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.2f | %.2f |%n",
                    side, median(runs.stream().mapToDouble(Figures::scannedRows).toArray()), median(runs.stream().mapToDouble(Figures::statements).toArray()),
                    median(runs.stream().mapToDouble(Figures::median).toArray()), median(runs.stream().mapToDouble(Figures::p99).toArray())));
        }
    }

    private static Figures measure(MysqlServer server, Side side)
    {
        LongAdder scanned = new LongAdder();
        try (OltpLoad load = OltpLoad.start(server); Scans _ = Scans.start(server, side, scanned)) {
            LockSupport.parkNanos(1_000_000_000L);
            load.forget();
            long before = scanned.sum();
            long start = System.nanoTime();
            LockSupport.parkNanos(ROUND_NANOS);
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Figures((scanned.sum() - before) / seconds, load.statements() / seconds, load.millis(0.5), load.millis(0.99));
        }
    }

    @Test
    void measureKill()
            throws InterruptedException
    {
        try (MysqlServer server = start(); SnapshotReader reader = SnapshotReader.open(server, TABLE); Session admin = new Session(server)) {
            String id = reader.session().value("SELECT CONNECTION_ID()");
            String sql = Scans.nativeSql(reader.token(), "", 0, List.of());
            List<Double> millis = new ArrayList<>();
            for (int i = 0; i < KILLS; i++) {
                AtomicLong ended = new AtomicLong();
                Thread scan = Thread.ofPlatform().start(() -> {
                    // Many scans of the range, so that the KILL finds one under way.
                    try (Statement statement = reader.session().connection().createStatement()) {
                        for (int j = 0; j < 100; j++) {
                            statement.executeQuery(sql).close();
                        }
                    }
                    catch (SQLException e) {
                        ended.set(System.nanoTime());
                    }
                });
                LockSupport.parkNanos(20_000_000L + i * 500_000L);
                long killed = System.nanoTime();
                admin.execute("KILL QUERY " + id);
                scan.join();
                assertThat(ended.get()).isPositive();
                millis.add((ended.get() - killed) / 1e6);
            }
            double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            System.out.println("| KILL of a native scan | median, ms | p99, ms | longest, ms |");
            System.out.println("|---|---|---|---|");
            System.out.printf(Locale.ROOT, "| %s times | %.1f | %.1f | %.1f |%n", KILLS, sorted[KILLS / 2], sorted[KILLS * 99 / 100], sorted[KILLS - 1]);
        }
    }

    private static double median(double[] figures)
    {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Sessions that scan their ranges again and again. */
    private record Scans(BackgroundTasks tasks, List<Session> sessions, AtomicBoolean ended)
            implements AutoCloseable
    {
        // A group for each day: 2,000 of them.
        private static final String GROUPS = "\"aggregate\": {\"groups\": [3], \"functions\": [[\"count\"], [\"sum\", 1], [\"sum\", 2], [\"max\", 4]]}, ";

        static Scans start(MysqlServer server, Side side, LongAdder scanned)
        {
            List<Session> sessions = IntStream.rangeClosed(0, side.ranges()).mapToObj(_ -> new Session(server)).toList();
            Session donor = sessions.getFirst();
            donor.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(TABLE));
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            AtomicBoolean ended = new AtomicBoolean();
            BackgroundTasks tasks = new BackgroundTasks();
            List<String> bounds = side.ranges() < 2 ? List.of() : RangePlan.ask(donor, TABLE, "PRIMARY", side.ranges()).boundaries().stream().map(List::getFirst).toList();
            for (int i = 0; i < side.ranges(); i++) {
                Session reader = sessions.get(i + 1);
                reader.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(TABLE));
                reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
                String sql = switch (side.way()) {
                    case NATIVE_ROWS -> nativeSql(token, "", i, bounds);
                    case NATIVE_GROUPS -> nativeSql(token, GROUPS, i, bounds);
                    case SQL -> sql(i, bounds);
                };
                tasks.start(() -> {
                    while (!ended.get()) {
                        scan(reader, sql, side.way(), scanned);
                    }
                });
            }
            return new Scans(tasks, sessions, ended);
        }

        /** @param members of the options, each followed by a comma */
        static String nativeSql(String token, String members, int range, List<String> bounds)
        {
            String lower = range == 0 ? "" : "\"lower\": [\"%s\"], ".formatted(bounds.get(range - 1));
            String upper = range == bounds.size() ? "" : "\"upper\": [\"%s\"], ".formatted(bounds.get(range));
            String columns = "[\"k\", \"int64\"], [\"a\", \"int32\"], [\"b\", \"int64\"], [\"c\", \"int32\"], [\"d\", \"int64\"], [\"v\", \"bytes\"]";
            return NativeScan.sql(TABLE, token, "{%s%s%s\"columns\": [%s]}".formatted(members, lower, upper, columns), 1000);
        }

        private static String sql(int range, List<String> bounds)
        {
            String lower = range == 0 ? "TRUE" : "k >= " + bounds.get(range - 1);
            String upper = range == bounds.size() ? "TRUE" : "k < " + bounds.get(range);
            return "SELECT %s FROM %s WHERE %s AND %s".formatted(COLUMNS, TABLE, lower, upper);
        }

        // Takes what the server sends, and looks at little of it.
        private static void scan(Session reader, String sql, Way way, LongAdder scanned)
                throws SQLException
        {
            try (Statement statement = reader.connection().createStatement()) {
                statement.setFetchSize(Integer.MIN_VALUE);
                try (ResultSet result = statement.executeQuery(sql)) {
                    while (result.next()) {
                        scanned.add(switch (way) {
                            case NATIVE_ROWS -> rowsOf(result.getBytes(1));
                            case NATIVE_GROUPS -> rowsOfGroups(result.getBytes(1));
                            case SQL -> 1;
                        });
                    }
                }
            }
        }

        // From the header; null is what follows the last batch.
        private static int rowsOf(byte[] batch)
        {
            return batch == null ? 0 : ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        }

        // Behind its day, each group has the number of its rows.
        private static long rowsOfGroups(byte[] batch)
        {
            return batch == null ? 0 : ScanBatch.parse(batch).columns().get(1).stream().mapToLong(count -> ((BigInteger) count).longValue()).sum();
        }

        @Override
        public void close()
        {
            ended.set(true);
            try {
                tasks.await();
            }
            finally {
                sessions.forEach(Session::close);
            }
        }
    }
}
