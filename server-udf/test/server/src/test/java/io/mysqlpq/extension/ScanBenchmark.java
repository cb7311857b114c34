package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures what one row of a warm table costs MySQL's CPU in a native scan, by what is read of it, and prints the table of
 * docs/decisions/native-scan.md. With {@code PQ_OTHER_LIBRARY}, another file as mysql_pq.so reads the same in turn. Takes minutes, so no set of
 * tests runs it: {@code ./pq scans} does.
 */
class ScanBenchmark
{
    private static final int ROUNDS = 15;
    private static final int ROWS = 1_000_000;
    private static final int BATCHES = 1000;
    private static final String OPTIONS = "\"rows\": 65536, ";
    private static final String LINES = """
            (l_orderkey BIGINT NOT NULL, l_partkey BIGINT NOT NULL, l_suppkey BIGINT NOT NULL, l_linenumber INT NOT NULL, \
            l_quantity DECIMAL(12,2) NOT NULL, l_extendedprice DECIMAL(12,2) NOT NULL, l_discount DECIMAL(12,2) NOT NULL, l_tax DECIMAL(12,2) NOT NULL, \
            l_returnflag CHAR(1) NOT NULL, l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL, \
            l_shipinstruct CHAR(25) NOT NULL, l_shipmode CHAR(10) NOT NULL, l_comment VARCHAR(44) NOT NULL""";
    private static final String LINE = """
            i DIV 4, i * 7919 % 200000, i * 104729 % 10000, i % 4, i % 50 + 1, i * 31 % 9000000 / 100, i % 11 / 100, i % 9 / 100, \
            ELT(i % 3 + 1, 'A', 'N', 'R'), ELT(i % 2 + 1, 'F', 'O'), DATE'1992-01-02' + INTERVAL i % 2500 DAY, DATE'1992-02-01' + INTERVAL i % 2400 DAY, \
            DATE'1992-01-09' + INTERVAL i % 2500 DAY, ELT(i % 2 + 1, 'DELIVER IN PERSON', 'NONE'), ELT(i % 3 + 1, 'AIR', 'TRUCK', 'REG AIR'), \
            REPEAT('x', 10 + i % 34)""";
    private static final List<String> TWO = List.of("l_partkey", "l_suppkey");
    private static final List<String> SEVEN = List.of("l_returnflag", "l_linestatus", "l_quantity", "l_extendedprice", "l_discount", "l_tax", "l_shipdate");

    /** Some columns of a table; all of them if it names none and {@code all} is set. */
    private record Shape(String name, String table, List<String> columns, boolean all, String options)
    {
        Shape(String name, String table, List<String> columns)
        {
            this(name, table, columns, false, OPTIONS);
        }
    }

    private static final List<Shape> SHAPES = List.of(
            new Shape("no column", "s.line", List.of()),
            new Shape("2 bigint columns", "s.line", TWO),
            new Shape("7 columns", "s.line", SEVEN),
            new Shape("16 columns", "s.line", List.of(), true, OPTIONS),
            new Shape("greatest BIGINT", "s.line", List.of("l_partkey"), false, OPTIONS + "\"aggregate\": {\"groups\": [], \"functions\": [[\"max\", 0]]}, "),
            new Shape("16 columns, first 10 by BIGINT", "s.line", List.of(), true, OPTIONS + first("l_partkey")),
            new Shape("16 columns, first 10 by a growing key", "s.line", List.of(), true, OPTIONS + first("l_orderkey")),
            new Shape("16 columns, first 10 by VARCHAR", "s.line", List.of(), true, OPTIONS + first("l_comment")),
            new Shape("4 DECIMAL(12,2)", "s.line", List.of("l_quantity", "l_extendedprice", "l_discount", "l_tax")),
            new Shape("2 CHAR", "s.line", List.of("l_shipinstruct", "l_shipmode")),
            new Shape("3 DATE", "s.line", List.of("l_shipdate", "l_commitdate", "l_receiptdate")),
            new Shape("2 bigint columns, key of variable length", "s.text_key", TWO),
            new Shape("2 bigint columns, INSTANT column added", "s.added", TWO),
            new Shape("7 columns, INSTANT column added", "s.added", SEVEN),
            new Shape("2 bigint columns, INSTANT column dropped", "s.dropped", TWO),
            new Shape("2 bigint columns, first of 600 partitions", "s.parts", TWO, false, OPTIONS + "\"partition\": \"p0\", "),
            new Shape("7 nullable columns, a tenth NULL", "s.nullable", List.of("a", "b", "c", "d", "e", "f", "g")),
            new Shape("DECIMAL(30,10)", "s.nullable", List.of("h")),
            new Shape("text of 500 bytes", "s.wide", List.of("v")));

    private static String first(String column)
    {
        return "\"first\": {\"rows\": 10, \"order\": [[[\"column\", \"%s\"], \"descending\", \"nulls_last\"]]}, ".formatted(column);
    }

    private static MysqlServer start(MysqlServerBuilder builder)
    {
        MysqlServer server = builder
                .extension(true)
                .option("cte-max-recursion-depth", "10000000")
                .option("innodb-redo-log-capacity", "1G")
                .option("innodb-buffer-pool-size", "1500M")
                .start();
        String partitions = IntStream.range(0, 600).mapToObj(i -> "PARTITION p%s VALUES LESS THAN (%s)".formatted(i, i == 0 ? 10 * ROWS : 10 * ROWS + i)).collect(joining(", "));
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.line %s, PRIMARY KEY (l_orderkey, l_linenumber))".formatted(LINES),
                fill("s.line", LINE, ROWS),
                "CREATE TABLE s.text_key (k VARCHAR(24) CHARACTER SET ascii PRIMARY KEY, %s)".formatted(LINES.substring(1)),
                "INSERT INTO s.text_key SELECT CONCAT(LPAD(l_orderkey, 8, '0'), '-', l_linenumber, REPEAT('k', l_orderkey % 7)), line.* FROM s.line",
                "CREATE TABLE s.added LIKE s.line",
                "INSERT INTO s.added SELECT * FROM s.line WHERE l_orderkey < %s".formatted(ROWS / 8),
                "ALTER TABLE s.added ADD COLUMN added INT NOT NULL DEFAULT 5, ALGORITHM=INSTANT",
                "INSERT INTO s.added SELECT line.*, 7 FROM s.line WHERE l_orderkey >= %s".formatted(ROWS / 8),
                "CREATE TABLE s.dropped (gone INT NOT NULL DEFAULT 0, %s, PRIMARY KEY (l_orderkey, l_linenumber))".formatted(LINES.substring(1)),
                "INSERT INTO s.dropped SELECT 1, line.* FROM s.line",
                "ALTER TABLE s.dropped DROP COLUMN gone, ALGORITHM=INSTANT",
                "CREATE TABLE s.parts %s, PRIMARY KEY (l_orderkey, l_linenumber)) PARTITION BY RANGE (l_orderkey) (%s)".formatted(LINES, partitions),
                "INSERT INTO s.parts SELECT * FROM s.line",
                "CREATE TABLE s.nullable (k BIGINT PRIMARY KEY, a INT, b BIGINT, c DECIMAL(12, 2), d DATE, e DATETIME(6), f VARCHAR(20), g CHAR(4), h DECIMAL(30, 10))",
                fill("s.nullable", "i, %s".formatted("iabcdefgh".chars().skip(1).mapToObj(column -> switch (column) {
                    case 'c', 'h' -> "IF((i + %s) %% 10 = 0, NULL, i * 37 / 100)".formatted(column);
                    case 'd' -> "IF((i + %s) %% 10 = 0, NULL, DATE'2001-02-03' + INTERVAL i %% 5000 DAY)".formatted(column);
                    case 'e' -> "IF((i + %s) %% 10 = 0, NULL, TIMESTAMP'2001-02-03 04:05:06.789' + INTERVAL i SECOND)".formatted(column);
                    case 'f' -> "IF((i + %s) %% 10 = 0, NULL, REPEAT('y', i %% 20))".formatted(column);
                    case 'g' -> "IF((i + %s) %% 10 = 0, NULL, ELT(i %% 3 + 1, 'AB', 'CDE', ''))".formatted(column);
                    default -> "IF((i + %s) %% 10 = 0, NULL, i)".formatted(column);
                }).collect(joining(", "))), ROWS),
                "CREATE TABLE s.wide (k BIGINT PRIMARY KEY, v VARCHAR(1000))",
                fill("s.wide", "i, REPEAT('z', 400 + i % 200)", ROWS / 5));
        return server;
    }

    private static String fill(String table, String values, int rows)
    {
        return "INSERT INTO %s WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < %s) SELECT %s FROM r".formatted(table, rows, values);
    }

    /** What is counted: the scan alone, or with what it takes to send its batches to a client. */
    private enum Work
    {
        SCAN
        {
            @Override
            long rows(NativeScan scan)
            {
                String sql = NativeScan.sql(scan.table(), scan.token(), scan.options(null), BATCHES);
                // Only the number of rows, from each batch's header, leaves the server.
                String counts = sql.replace("SELECT mysql_pq_scan(", "SELECT CONV(HEX(REVERSE(SUBSTR(mysql_pq_scan(").replace(") FROM", "), 9, 4))), 16, 10) FROM");
                return scan.session().values(counts).stream().filter(Objects::nonNull).mapToLong(Long::parseLong).sum();
            }
        },
        SCAN_AND_SEND
        {
            @Override
            long rows(NativeScan scan)
            {
                return scan.count();
            }
        };

        abstract long rows(NativeScan scan);
    }

    @Test
    void measure()
    {
        Optional<Path> other = Optional.ofNullable(System.getenv("PQ_OTHER_LIBRARY")).filter(name -> !name.isEmpty()).map(Path::of);
        try (MysqlServer server = start(MysqlServer.builder()); MysqlServer against = other.map(file -> start(MysqlServer.builder().pluginFile(file))).orElse(null)) {
            List<MysqlServer> servers = against == null ? List.of(server) : List.of(server, against);
            System.out.println("| read | scan | and send |" + (against == null ? "" : " other library: scan | and send | ratios | |"));
            System.out.println("|---|---|---|" + (against == null ? "" : "---|---|---|---|"));
            for (Shape shape : SHAPES) {
                List<List<Double>> figures = IntStream.range(0, 2 * servers.size()).mapToObj(_ -> (List<Double>) new ArrayList<Double>()).toList();
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < figures.size(); i++) {
                        figures.get(i).add(nanosOfRow(servers.get(i / 2), shape, Work.values()[i % 2]));
                    }
                }
                double[] medians = figures.stream().mapToDouble(ScanBenchmark::median).toArray();
                System.out.printf(Locale.ROOT, "| %s | %.1f | %.1f |", shape.name(), medians[0], medians[1]);
                if (against != null) {
                    System.out.printf(Locale.ROOT, " %.1f | %.1f | %.2f | %.2f |", medians[2], medians[3], medians[2] / medians[0], medians[3] / medians[1]);
                }
                System.out.println();
            }
        }
    }

    private static double nanosOfRow(MysqlServer server, Shape shape, Work work)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, shape.table()); Session observer = new Session(server)) {
            observer.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_cpu'");
            List<ScanColumn> columns = ScanColumn.of(reader.session(), shape.table()).stream().filter(column -> shape.all() || shape.columns().contains(column.name())).toList();
            NativeScan scan = new NativeScan(reader.session(), reader.token(), shape.table(), columns, shape.options());
            long before = picosOfSelects(observer, reader.session());
            assertThat(work.rows(scan)).isPositive();
            // MySQL accounts for a statement a little after it has sent the last row, and before it takes the next one.
            reader.session().execute("DO 1");
            long picos = picosOfSelects(observer, reader.session()) - before;
            return picos / 1000.0 / observer.number("SELECT COUNT(*) FROM " + shape.table());
        }
    }

    private static long picosOfSelects(Session observer, Session reader)
    {
        return observer.number("""
                SELECT SUM_CPU_TIME FROM performance_schema.events_statements_summary_by_thread_by_event_name
                WHERE EVENT_NAME = 'statement/sql/select' AND THREAD_ID = (SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = %s)""".formatted(reader.id()));
    }

    private static double median(List<Double> figures)
    {
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }
}
