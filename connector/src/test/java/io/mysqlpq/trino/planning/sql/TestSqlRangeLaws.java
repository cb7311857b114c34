package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.keys.KeyCase;
import io.mysqlpq.testing.keys.KeyShapes;
import io.mysqlpq.testing.keys.KeyTypes;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import static java.util.concurrent.Executors.newSingleThreadExecutor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Cuts keys of every kind by SQL, on a server without the extension: each row in one range, read by the index. */
@TestInstance(PER_CLASS)
class TestSqlRangeLaws
{
    private static final int RANGES = 16;
    // The tests ask for 16 ranges. Dates are random, and some have no literal to cut at.
    private static final int FEWEST_RANGES = 3;

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().keyring().start();
    private final Random random = Seed.random();

    @BeforeAll
    void createSchema()
    {
        mysql.execute("CREATE SCHEMA laws");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        mysql.assertErrorLogClean();
    }

    static List<KeyCase> cases()
    {
        return Stream.of(KeyTypes.all(), KeyShapes.all(), KeyShapes.partitioned()).flatMap(List::stream).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void testEachRowOnceByTheIndex(KeyCase key)
            throws Exception
    {
        key.create(mysql, "laws.t", random);
        mysql.execute("ANALYZE TABLE laws.t");
        try (PlannedTable table = new PlannedTable(mysql); Statement statement = table.connection().createStatement()) {
            Optional<SqlPlan> plan = table.plan(1, RANGES);
            assertThat(plan.isPresent()).isEqualTo(key.hasRanges());
            if (plan.isEmpty()) {
                return;
            }
            assertThat(plan.get().ranges()).hasSizeBetween(FEWEST_RANGES, RANGES);
            BitSet seen = new BitSet();
            for (String condition : PlannedTable.conditions(plan.get())) {
                String from = "FROM laws.t FORCE INDEX (PRIMARY) WHERE " + condition;
                readInto(seen, statement, "SELECT n " + from);
                assertReadByRange(statement, "EXPLAIN FORMAT = TRADITIONAL SELECT * " + from);
            }
            assertThat(seen.cardinality()).isEqualTo(KeyCase.ROWS);
        }
    }

    // A whole value is longer than a key may be.
    @ParameterizedTest
    @ValueSource(strings = {"ASC", "DESC"})
    void testPrefixOfLongValues(String direction)
            throws Exception
    {
        mysql.execute(
                "DROP TABLE IF EXISTS laws.t",
                "CREATE TABLE laws.t (k BLOB NOT NULL, n INT NOT NULL, PRIMARY KEY (k (2) %s, n))".formatted(direction),
                "INSERT INTO laws.t WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 999) SELECT CONCAT(CHAR(i % 50, i % 256), REPEAT(CHAR(i % 7), IF(i % 3 = 0, 4000, i % 4))), i FROM s",
                "ANALYZE TABLE laws.t");
        try (PlannedTable table = new PlannedTable(mysql); Statement statement = table.connection().createStatement()) {
            List<String> conditions = PlannedTable.conditions(table.plan(1, RANGES).orElseThrow());
            assertThat(conditions).hasSizeGreaterThanOrEqualTo(FEWEST_RANGES);
            BitSet seen = new BitSet();
            for (String condition : conditions) {
                readInto(seen, statement, "SELECT n FROM laws.t FORCE INDEX (PRIMARY) WHERE " + condition);
            }
            assertThat(seen.cardinality()).isEqualTo(1000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIGINT UNSIGNED", "DATETIME(6)", "VARCHAR(30) COLLATE utf8mb4_0900_ai_ci", "VARBINARY(20)", "ENUM (7 members)"})
    void testStableRowsOnceWhileOthersComeAndGo(String title)
            throws Exception
    {
        KeyCase key = KeyTypes.all().stream().filter(type -> type.title().equals(title)).findFirst().orElseThrow();
        key.create(mysql, "laws.t", random);
        mysql.execute("ANALYZE TABLE laws.t");
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger writes = new AtomicInteger();
        try (ExecutorService executor = newSingleThreadExecutor(); PlannedTable table = new PlannedTable(mysql); Statement statement = table.connection().createStatement()) {
            Future<?> writer = executor.submit(() -> write(key, new Random(random.nextLong()), stopped, writes));
            try {
                for (int round = 0; !writer.isDone() && (round < 3 || writes.get() < 3); round++) {
                    SqlPlan plan = table.plan(1, RANGES).orElseThrow();
                    assertThat(plan.ranges()).hasSizeGreaterThanOrEqualTo(FEWEST_RANGES);
                    BitSet seen = new BitSet();
                    for (String condition : PlannedTable.conditions(plan)) {
                        readInto(seen, statement, "SELECT n FROM laws.t FORCE INDEX (PRIMARY) WHERE n < %s AND (%s)".formatted(KeyCase.ROWS, condition));
                    }
                    assertThat(seen.cardinality()).as("stable rows").isEqualTo(KeyCase.ROWS);
                }
            }
            finally {
                stopped.set(true);
            }
            writer.get();
        }
        assertThat(writes.get()).as("writes while ranges were planned and read").isGreaterThanOrEqualTo(3);
    }

    private void write(KeyCase key, Random own, AtomicBoolean stopped, AtomicInteger writes)
    {
        while (!stopped.get()) {
            mysql.execute(
                    "SET SESSION sql_mode = 'ALLOW_INVALID_DATES', SESSION time_zone = '+00:00'",
                    key.insert("laws.t", own, KeyCase.ROWS, 2_000),
                    "DELETE FROM laws.t WHERE n >= " + KeyCase.ROWS);
            writes.incrementAndGet();
        }
    }

    private static void readInto(BitSet seen, Statement statement, String sql)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                assertThat(seen.get(rows.getInt(1))).as("row %s is in two ranges, of them %s", rows.getInt(1), sql).isFalse();
                seen.set(rows.getInt(1));
            }
        }
    }

    // "ref" is how MySQL calls a range of one value.
    private static void assertReadByRange(Statement statement, String explain)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(explain)) {
            rows.next();
            assertThat(rows.getString("key")).as(explain).isEqualTo("PRIMARY");
            assertThat(rows.getString("type")).as(explain).isIn("range", "ref");
        }
    }
}
