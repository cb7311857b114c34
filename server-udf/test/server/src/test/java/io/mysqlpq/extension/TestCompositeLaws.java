package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestCompositeLaws
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
    @ValueSource(strings = {
            "tenant, name, seq",
            "tenant DESC, name DESC, seq DESC",
            "tenant, name DESC, seq",
            "name, seq DESC",
            "name DESC, tenant, seq DESC",
            "seq DESC, name, tenant DESC"})
    void testEveryRowInOneRange(String key)
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP SCHEMA IF EXISTS laws",
                    "CREATE SCHEMA laws",
                    "CREATE TABLE laws.t (tenant INT UNSIGNED, name VARCHAR(40), seq BIGINT, filler CHAR(100) DEFAULT 'x', PRIMARY KEY (%s))".formatted(key),
                    "INSERT IGNORE INTO laws.t (tenant, name, seq) VALUES " + randomRows());
            RangePlan plan = RangePlan.ask(session, "laws.t", "PRIMARY", 32);
            assertThat(plan.columns()).map(column -> column.name() + (column.descending() ? " DESC" : ""))
                    .containsExactly(key.split(", ", -1));
            assertThat(plan.count()).isBetween(20, 32);
            RangeLaw law = new RangeLaw(session, "laws.t", plan);
            law.check();
            law.assertBoundariesAreRows();
        }
    }

    // Three tenants and short names, so that many rows share their leading parts.
    private String randomRows()
    {
        return Stream.generate(() -> "(%s, %s, %s)".formatted(
                random.nextInt(3),
                RandomText.literal(RandomText.draw(random, random.nextBoolean() ? 2 : 40)),
                random.nextBoolean() ? random.nextLong() : random.nextInt(2_000) - 1_000))
                .limit(ROWS)
                .collect(joining(","));
    }
}
