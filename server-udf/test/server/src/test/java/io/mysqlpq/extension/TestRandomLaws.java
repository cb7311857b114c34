package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomTable;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestRandomLaws
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @RepeatedTest(20)
    void testEveryRowInOneRange()
    {
        Random random = Seed.random();
        RandomTable table = new RandomTable("laws.t", random);
        String ddl = table.ddl();
        System.out.println(ddl);
        try (Session session = new Session(server)) {
            session.execute("DROP SCHEMA IF EXISTS laws", "CREATE SCHEMA laws", ddl, table.insert(5_000));
            for (String index : table.indexes()) {
                checkIndex(session, index, 1 + random.nextInt(40));
            }
            // Deletes and changed keys leave boundaries that are no rows any more.
            session.execute(
                    "DELETE FROM laws.t WHERE RAND() < 0.7",
                    table.insert(2_000));
            for (String index : table.indexes()) {
                new RangeLaw(session, "laws.t", RangePlan.ask(session, "laws.t", index, 10)).check();
            }
        }
    }

    private static void checkIndex(Session session, String index, int count)
    {
        RangePlan plan = RangePlan.ask(session, "laws.t", index, count, "{\"leaf\": true}");
        assertThat(plan.count()).isLessThanOrEqualTo(count);
        RangeLaw law = new RangeLaw(session, "laws.t", plan);
        law.check();
        law.assertBoundariesAreRows();
    }
}
