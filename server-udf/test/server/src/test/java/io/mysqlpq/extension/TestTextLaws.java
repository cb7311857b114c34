package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
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
class TestTextLaws
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
            "varchar,20,utf8mb4_0900_ai_ci,ASC", "varchar,20,utf8mb4_0900_ai_ci,DESC", "varchar,500,utf8mb4_0900_ai_ci,ASC",
            "varchar,20,utf8mb4_bin,ASC", "varchar,20,utf8mb4_bin,DESC", "varchar,500,utf8mb4_bin,ASC",
            "char,20,utf8mb4_0900_ai_ci,ASC", "char,20,utf8mb4_bin,DESC"})
    void testEveryRowInOneRange(String type, int length, String collation, String order)
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP SCHEMA IF EXISTS laws",
                    "CREATE SCHEMA laws",
                    "CREATE TABLE laws.t (k %s(%s) COLLATE %s, filler CHAR(100) DEFAULT 'x', PRIMARY KEY (k %s))".formatted(type, length, collation, order),
                    "INSERT IGNORE INTO laws.t (k) VALUES " + randomRows(length));
            RangePlan plan = RangePlan.ask(session, "laws.t", "PRIMARY", 32);
            assertThat(plan.columns()).containsExactly(new KeyColumn(
                    "k", type, "text", false, false, order.equals("DESC"), "utf8mb4", collation, null));
            assertThat(plan.count()).isBetween(20, 32);
            RangeLaw law = new RangeLaw(session, "laws.t", plan);
            law.check();
            if (type.equals("varchar")) {
                law.assertBoundariesAreRows();
            }
        }
    }

    private String randomRows(int length)
    {
        return Stream.generate(() -> "(" + RandomText.literal(RandomText.draw(random, length)) + ")").limit(ROWS).collect(joining(","));
    }
}
