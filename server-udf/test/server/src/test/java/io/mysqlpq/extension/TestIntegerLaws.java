package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.IntegerType;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestIntegerLaws
{
    private static final int ROWS = 20_000;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Random random = Seed.random();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @CsvSource({
            "tinyint,8,false", "tinyint,8,true", "smallint,16,false", "smallint,16,true", "mediumint,24,false",
            "mediumint,24,true", "int,32,false", "int,32,true", "bigint,64,false", "bigint,64,true"})
    void testEveryRowInOneRange(String name, int bits, boolean unsigned)
    {
        IntegerType type = new IntegerType(name, bits, unsigned);
        String table = "laws.%s_%s".formatted(name, unsigned);
        try (Session session = new Session(server)) {
            session.execute("CREATE SCHEMA IF NOT EXISTS laws");
            check(session, table, type, "");
            check(session, table + "_descending", type, " DESC");
        }
    }

    private void check(Session session, String table, IntegerType type, String order)
    {
        session.execute(
                "CREATE TABLE %s (k %s, filler CHAR(200) DEFAULT 'x', PRIMARY KEY (k%s))".formatted(table, type.definition(), order),
                "INSERT IGNORE INTO %s (k) VALUES (%s), (%s)".formatted(table, type.minimum(), type.maximum()),
                "INSERT IGNORE INTO %s (k) VALUES %s".formatted(table, randomRows(type)));
        RangePlan plan = RangePlan.ask(session, table, "PRIMARY", 16, "{\"leaf\": true}");
        assertThat(plan.columns()).containsExactly(new KeyColumn(
                "k", type.name(), "integer", type.unsigned(), false, !order.isEmpty(), null, null, null));
        // 256 rows of a TINYINT fill 4 pages; all others fill hundreds.
        assertThat(plan.count()).isBetween(type.bits() == 8 ? 2 : 12, 16);
        RangeLaw law = new RangeLaw(session, table, plan);
        law.check();
        law.assertBoundariesAreRows();
    }

    private String randomRows(IntegerType type)
    {
        return Stream.generate(() -> "(" + type.random(random) + ")").limit(ROWS).collect(joining(","));
    }
}
