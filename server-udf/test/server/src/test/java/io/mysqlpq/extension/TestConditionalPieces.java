package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that of a range whose pieces are kept only those are read again in which something may have changed. */
@TestInstance(PER_CLASS)
class TestConditionalPieces
{
    private static final String COLUMNS = "\"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]";
    private static final String MIDDLE = "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], %s}".formatted(COLUMNS);
    private static final String GROUPS = "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], \"columns\": [[\"v\", \"int64\"], [\"k\", \"int64\"]], \"aggregate\": {\"groups\": [0], \"functions\": [[\"count\"], [\"sum\", 1], [\"max\", 1]]}}";
    // A leaf has some 90 rows.
    private static final int ROWS = 300;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();

    @BeforeEach
    void createTable()
    {
        KeptScan.createTable(server);
        Await.until("each piece has a validator", () -> scan(MIDDLE).pieces().stream().allMatch(piece -> piece.validator() != null));
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private KeptScan scan(String options)
    {
        return KeptScan.scan(server, "s.t", options, ROWS);
    }

    @ParameterizedTest
    @ValueSource(strings = {MIDDLE_OPTIONS, GROUPS_OPTIONS, "{\"columns\": []}", "{\"rows\": 70, \"columns\": [[\"k\", \"int64\"]]}", "{\"after\": [\"30000\"], \"columns\": [[\"k\", \"int64\"]]}", "{\"lower\": [\"200000\"], \"columns\": [[\"k\", \"int64\"]]}"})
    void testUnchanged(String options)
    {
        KeptScan kept = scan(options);
        assertThat(kept.isUnchanged()).isTrue();
        assertThat(kept.ask().now()).isEqualTo(kept);
        assertThat(kept.pieces()).hasSizeGreaterThan(options.contains("200000") ? 0 : 10);
    }

    private static final String MIDDLE_OPTIONS = "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";
    private static final String GROUPS_OPTIONS = "{\"lower\": [\"30000\"], \"columns\": [[\"v\", \"int64\"], [\"k\", \"int64\"]], \"aggregate\": {\"groups\": [0], \"functions\": [[\"count\"], [\"sum\", 1], [\"max\", 1]]}}";

    // A piece begins with the leaf where the one before ends, so that a change may count for two.
    @ParameterizedTest
    @ValueSource(strings = {MIDDLE_OPTIONS, GROUPS_OPTIONS})
    void testOneChanges(String options)
    {
        KeptScan kept = scan(options);
        server.execute("UPDATE s.t SET v = 77 WHERE k = 50000");
        KeptScan.Answer answer = kept.ask();
        assertThat(kept.pieces().size() - answer.unchanged()).isBetween(1, 2);
        Await.until("the new piece counts too", () -> scan(options).isUnchanged());
        Await.until("what was read in the place of what changed is unchanged", () -> kept.ask().now().isUnchanged());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "DELETE FROM s.t WHERE k BETWEEN 40000 AND 49000",
            "DELETE FROM s.t",
            "INSERT INTO s.t SELECT k + 1, v, t FROM s.t WHERE k BETWEEN 40000 AND 41000",
            "INSERT INTO s.t VALUES (30000 + 1, 1, 'new'), (69999, 1, 'new')",
            "UPDATE s.t SET t = REPEAT('u', 300) WHERE k BETWEEN 50000 AND 51000",
            "UPDATE s.t SET k = k + 5 WHERE k BETWEEN 40000 AND 41000",
            "TRUNCATE TABLE s.t",
            "ALTER TABLE s.t ADD COLUMN more INT FIRST, ALGORITHM = INSTANT",
            "OPTIMIZE TABLE s.t"})
    void testChanges(String change)
    {
        List<KeptScan> scans = List.of(scan(MIDDLE), scan(GROUPS));
        server.execute(change);
        for (KeptScan kept : scans) {
            KeptScan.Answer answer = kept.ask();
            assertThat(answer.unchanged()).isLessThan(kept.pieces().size());
            // What came in place of what changed is asked for too.
            if (answer.now().hasValidator()) {
                answer.now().ask();
            }
        }
    }

    // What comes in one piece must not depend on another one.
    @Test
    void testFirstRows()
    {
        server.execute("UPDATE s.t SET v = k", "UPDATE s.t SET v = 1000000 + k WHERE k <= 50");
        Await.until("all is unchanged", () -> scan("{%s}".formatted(KeptScan.FIRST)).isUnchanged());
        KeptScan kept = scan("{%s}".formatted(KeptScan.FIRST));
        assertThat(kept.pieces()).hasSizeGreaterThan(10);
        server.execute("DELETE FROM s.t WHERE k <= 50");
        KeptScan.Answer answer = kept.ask();
        assertThat(answer.unchanged()).isPositive();
        assertThat(answer.now().rows().getFirst().getFirst()).isEqualTo("100000");
    }

    // They tell how many leaves there are, and where these end.
    @Test
    void testPrivileges()
    {
        server.execute("DROP USER IF EXISTS reader", "CREATE USER reader IDENTIFIED BY 'r'", "GRANT SELECT (k, v, t) ON s.t TO reader");
        KeptScan kept = scan(MIDDLE);
        try (SnapshotReader reader = SnapshotReader.open(new Session(server, "reader", "r"), new Session(server, "reader", "r"), "s.t")) {
            KeptScan.Answer answer = kept.askFor(reader);
            assertThat(answer.unchanged()).isZero();
            assertThat(answer.now().hasValidator()).isFalse();
            assertThat(answer.now().pieces()).hasSize(1);
        }
    }

    @Test
    void testGrowth()
    {
        KeptScan kept = scan(MIDDLE);
        server.execute(
                "INSERT INTO s.t SELECT k + 1, v, t FROM s.t WHERE k BETWEEN 40000 AND 60000 AND k % 10 = 0",
                "INSERT INTO s.t SELECT k + 2, v, t FROM s.t WHERE k BETWEEN 40000 AND 60000 AND k % 10 = 0",
                "INSERT INTO s.t SELECT k + 3, v, t FROM s.t WHERE k BETWEEN 40000 AND 60000 AND k % 10 = 0");
        KeptScan grown = kept.ask().now();
        assertThat(grown.pieces()).hasSizeGreaterThan(kept.pieces().size());
        // Where pieces ended, others end.
        assertThat(grown.pieces().stream().map(KeptScan.Piece::end)).containsAll(kept.pieces().stream().map(KeptScan.Piece::end).toList());
    }

    @Test
    void testManyChanges()
    {
        Random random = new Random(Seed.draw());
        List<KeptScan> kept = List.of(scan(MIDDLE), scan(GROUPS));
        int partly = 0;
        for (int i = 0; i < 100; i++) {
            int at = 25_000 + random.nextInt(50_000);
            server.execute(switch (random.nextInt(4)) {
                case 0 -> "DELETE FROM s.t WHERE k BETWEEN %s AND %s".formatted(at, at + random.nextInt(2000));
                case 1 -> "INSERT IGNORE INTO s.t SELECT k + 3, v, t FROM s.t WHERE k BETWEEN %s AND %s".formatted(at, at + random.nextInt(2000));
                case 2 -> "UPDATE s.t SET t = REPEAT('u', %s) WHERE k BETWEEN %s AND %s".formatted(random.nextInt(300), at, at + random.nextInt(500));
                default -> "UPDATE s.t SET v = v + 1 WHERE k BETWEEN %s AND %s".formatted(at, at + random.nextInt(100));
            });
            List<KeptScan> now = new ArrayList<>();
            for (KeptScan asked : kept) {
                KeptScan.Answer answer = asked.ask();
                partly += answer.unchanged() > 0 && answer.unchanged() < asked.pieces().size() ? 1 : 0;
                now.add(answer.now());
            }
            kept = now;
        }
        assertThat(partly).isGreaterThan(100);
    }

    // A range may take more statements than one.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void testStatements(int batches)
    {
        List<KeptScan.Piece> known = readOn(batches, List.of());
        assertThat(known).hasSizeGreaterThan(10);
        assertThat(readOn(batches, known)).isEqualTo(known);
        server.execute("UPDATE s.t SET v = 77 WHERE k IN (30000, 50000, 60000)");
        List<KeptScan.Piece> now = readOn(batches, known);
        assertThat(now).isNotEqualTo(known);
        assertThat(now).containsAnyElementsOf(known);
        assertThat(now.stream().flatMap(piece -> piece.rows().stream()).toList()).isEqualTo(scan(MIDDLE).rows());
    }

    private List<KeptScan.Piece> readOn(int batches, List<KeptScan.Piece> known)
    {
        List<KeptScan.Piece> now = new ArrayList<>();
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String after = null;
            int next = 0;
            while (true) {
                String argument = KeptScan.argument(ROWS, known.subList(next, known.size()), after);
                String sql = NativeScan.sql("s.t", reader.token(), MIDDLE, batches).replace("}') FROM", "}', '%s') FROM".formatted(argument));
                for (ScanBatch batch : new NativeScan(reader.session(), reader.token(), "s.t", List.of(), "").batches(sql)) {
                    now.addAll(known.subList(next, next + batch.unchanged()));
                    next += batch.unchanged() + (batch.end() == ScanBatch.PIECE_ENDED ? 1 : 0);
                    if (batch.end() != ScanBatch.UNCHANGED) {
                        now.add(new KeptScan.Piece(batch.validator(), batch.cursor(), KeptScan.rows(List.of(batch))));
                    }
                    if (!batch.isFollowed()) {
                        return now;
                    }
                    after = batch.cursor();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"k VARCHAR(40) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, a INT", "k VARCHAR(40) NOT NULL, a INT, PRIMARY KEY (k DESC, a)", "k VARBINARY(40), a DATETIME(3), PRIMARY KEY (a, k)", "k VARCHAR(40), a DECIMAL(10, 2), PRIMARY KEY (a DESC, k)", "k VARCHAR(40), a ENUM('x', 'y', 'z'), PRIMARY KEY (a, k(10))"})
    void testKeys(String definition)
    {
        server.execute("CREATE TABLE s.keyed (%s)".formatted(definition));
        String a = definition.contains("ENUM") ? "1 + k DIV 10 % 3" : definition.contains("DATETIME") ? "TIMESTAMPADD(SECOND, k, '2026-01-01')" : "k % 700";
        server.execute("INSERT INTO s.keyed SELECT CONCAT(k, '\"[ä]\\\\'), %s FROM s.t".formatted(a));
        Await.until("each piece has a validator", () -> KeptScan.scan(server, "s.keyed", "{\"columns\": [[\"k\", \"bytes\"]]}", ROWS).isUnchanged());
        KeptScan kept = KeptScan.scan(server, "s.keyed", "{\"columns\": [[\"k\", \"bytes\"]]}", ROWS);
        assertThat(kept.pieces()).hasSizeGreaterThan(10);
        server.execute("DELETE FROM s.keyed LIMIT 1");
        assertThat(kept.pieces().size() - kept.ask().unchanged()).isBetween(1, 3);
    }

    @Test
    void testBadPieces()
    {
        KeptScan kept = scan(MIDDLE);
        List<KeptScan.Piece> pieces = kept.pieces();
        KeptScan.Piece last = pieces.getLast();
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            refuse(reader, KeptScan.argument(ROWS, List.of(pieces.get(1), pieces.get(0), last), null), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(pieces.get(0), pieces.get(0), last), null), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, pieces, pieces.get(1).end()), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(), "[\"20000\"]"), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(), "[\"70000\"]"), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(new KeptScan.Piece(null, "[\"80000\"]", List.of()), last), null), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(new KeptScan.Piece(null, "[\"20000\"]", List.of()), last), null), "in the order of the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(new KeptScan.Piece(null, "[\"x\"]", List.of()), last), null), "key value");
            refuse(reader, KeptScan.argument(ROWS, List.of(new KeptScan.Piece(null, "[\"1\", \"2\"]", List.of()), last), null), "the index");
            refuse(reader, KeptScan.argument(ROWS, List.of(pieces.getFirst()), null), "last");
            refuse(reader, "{\"pieces\": [], \"piece_rows\": 0}", "piece_rows");
        }
    }

    private static void refuse(SnapshotReader reader, String argument, String rule)
    {
        reader.session().assertRefused(KeptScan.sql(reader, "s.t", MIDDLE, argument), "bad_argument", rule);
    }

    // A validator is of one piece: where a reader mixes them up, it learns nothing wrong.
    @Test
    void testMixedUpPieces()
    {
        KeptScan kept = scan(MIDDLE);
        List<KeptScan.Piece> mixed = new ArrayList<>(kept.pieces());
        KeptScan.Piece third = mixed.get(3);
        mixed.set(2, new KeptScan.Piece(third.validator(), mixed.get(2).end(), third.rows()));
        mixed.remove(5);
        KeptScan.Answer answer = new KeptScan(server, "s.t", MIDDLE, ROWS, mixed).ask();
        assertThat(answer.unchanged()).isEqualTo(mixed.size() - 2);
        // Nor is that of the range that of a piece.
        KeptScan whole = KeptScan.scan(server, "s.t", MIDDLE);
        assertThat(new KeptScan(server, "s.t", MIDDLE, ROWS, whole.pieces()).isUnchanged()).isTrue();
        assertThat(kept.validatedBy(whole.validator()).ask().now().pieces()).hasSize(1);
        assertThat(new KeptScan(server, "s.t", MIDDLE, 0, List.of(third)).ask().unchanged()).isZero();
    }
}
