package io.mysqlpq.trino.scan;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.keys.KeyCase;
import io.mysqlpq.testing.keys.KeyShapes;
import io.mysqlpq.testing.keys.KeyTypes;
import io.mysqlpq.testing.random.Seed;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.planning.PlannedRange;
import io.mysqlpq.trino.planning.RangePlan;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.Executors.newSingleThreadExecutor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads keys of every kind by the ranges that the extension plans: each row once, and each range by its index. */
@TestInstance(PER_CLASS)
class TestKeyCaseLaws
{
    // The tests ask for 16 ranges. Dates are random, and a boundary is left out if no literal stands for its date.
    private static final int FEWEST_RANGES = 3;
    private static final int MOST_RANGES = 16;
    // Each of several, and cut at leading columns where those differ.
    private static final int JOINED_RANGES = 4;

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).keyring().start();
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
        return Stream.concat(KeyTypes.all().stream(), KeyShapes.all().stream()).collect(toImmutableList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void testEachRowOnceByTheIndex(KeyCase key)
            throws Exception
    {
        key.create(mysql, "laws.t", random);
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            // As in all sessions of the connector; sql_mode stays the server's.
            statement.execute("SET time_zone = '+00:00'");
            for (String index : key.indexes()) {
                check(statement, index, key.hasRanges());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DECIMAL(65,30)", "DOUBLE", "DATETIME(6)", "TIMESTAMP(6)", "VARBINARY(20)", "ENUM (7 members)"})
    void testStableRowsOnceWhileOthersComeAndGo(String title)
            throws Exception
    {
        KeyCase key = KeyTypes.all().stream().filter(type -> type.title().equals(title)).findFirst().orElseThrow();
        key.create(mysql, "laws.t", random);
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger writes = new AtomicInteger();
        try (ExecutorService executor = newSingleThreadExecutor(); Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            Future<?> writer = executor.submit(() -> write(key, new Random(random.nextLong()), stopped, writes));
            try {
                statement.execute("SET time_zone = '+00:00'");
                for (int round = 0; !writer.isDone() && (round < 3 || writes.get() < 3); round++) {
                    for (String index : key.indexes()) {
                        readStableRows(statement, index);
                    }
                }
            }
            finally {
                stopped.set(true);
            }
            writer.get();
        }
        assertThat(writes.get()).as("writes while ranges were read").isGreaterThanOrEqualTo(3);
    }

    private static void readStableRows(Statement statement, String index)
            throws Exception
    {
        RangePlan.Ranges all = RangePlan.Ranges.of(reply(statement, index), MOST_RANGES);
        assertThat(all.ranges()).as(index).hasSizeGreaterThanOrEqualTo(FEWEST_RANGES);
        readStableRows(statement, index, all);
        readStableRows(statement, index, RangePlan.Ranges.of(reply(statement, index), JOINED_RANGES));
    }

    private static void readStableRows(Statement statement, String index, RangePlan.Ranges plan)
            throws Exception
    {
        RangePredicate predicate = new RangePredicate(plan.key(), name -> "`" + name + "`");
        BitSet seen = new BitSet();
        for (PlannedRange range : plan.ranges()) {
            readInto(seen, statement, "SELECT n FROM laws.t FORCE INDEX (%s) WHERE n < %s AND (%s)".formatted(index, KeyCase.ROWS, predicate.toSql(range.range()).orElse("TRUE")));
        }
        assertThat(seen.cardinality()).as("stable rows read by ranges of %s", index).isEqualTo(KeyCase.ROWS);
    }

    // Thousands of rows at a time anywhere among the stable ones, so that pages split and merge.
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

    private static void check(Statement statement, String index, boolean hasRanges)
            throws Exception
    {
        RangePlan.Ranges all = RangePlan.Ranges.of(reply(statement, index), MOST_RANGES);
        assertThat(all.ranges()).as(index).hasSizeBetween(hasRanges ? FEWEST_RANGES : 1, hasRanges ? MOST_RANGES : 1);
        check(statement, index, hasRanges, all);
        RangePlan.Ranges joined = RangePlan.Ranges.of(reply(statement, index), JOINED_RANGES);
        assertThat(joined.ranges()).as(index).hasSizeBetween(1, hasRanges ? JOINED_RANGES : 1);
        check(statement, index, hasRanges, joined);
    }

    private static void check(Statement statement, String index, boolean hasRanges, RangePlan.Ranges plan)
            throws Exception
    {
        RangePredicate predicate = new RangePredicate(plan.key(), name -> "`" + name + "`");
        BitSet seen = new BitSet();
        BitSet seenByHint = new BitSet();
        boolean hinted = RangeHint.helps(plan.key(), plan.ranges().stream().map(PlannedRange::range).toList());
        for (PlannedRange range : plan.ranges()) {
            String from = "FROM laws.t FORCE INDEX (%s) WHERE %s".formatted(index, predicate.toSql(range.range()).orElse("TRUE"));
            readInto(seen, statement, "SELECT n " + from);
            if (hinted) {
                readInto(seenByHint, statement, RangeHint.hinted("SELECT n " + from));
            }
            // If there are few values, joined ranges may become one.
            if (hasRanges && !range.range().isAll()) {
                assertReadByRange(statement, index, "EXPLAIN FORMAT = TRADITIONAL SELECT * " + from);
            }
        }
        assertThat(seen.cardinality()).as("rows read by ranges of %s", index).isEqualTo(KeyCase.ROWS);
        if (hinted) {
            assertThat(seenByHint).as("rows read by the hypergraph optimizer, by ranges of %s", index).isEqualTo(seen);
        }
    }

    private static RangesReply reply(Statement statement, String index)
            throws Exception
    {
        try (ResultSet rows = statement.executeQuery("SELECT mysql_pq_ranges('laws', 't', '%s', %s)".formatted(index, MOST_RANGES))) {
            rows.next();
            return RangesReply.decode(new RangesRequest("laws", "t", index, MOST_RANGES, KeyRange.all()), rows.getString(1));
        }
    }

    private static void readInto(BitSet seen, Statement statement, String sql)
            throws Exception
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                assertThat(seen.get(rows.getInt(1))).as("row %s is in two ranges, of them %s", rows.getInt(1), sql).isFalse();
                seen.set(rows.getInt(1));
            }
        }
    }

    // "ref" is how MySQL calls a range of one value, and "ref_or_null" one of NULL too.
    private static void assertReadByRange(Statement statement, String index, String explain)
            throws Exception
    {
        try (ResultSet rows = statement.executeQuery(explain)) {
            rows.next();
            assertThat(rows.getString("key")).as(explain).isEqualTo(index);
            assertThat(rows.getString("type")).as(explain).isIn("range", "ref", "ref_or_null");
        }
    }
}
