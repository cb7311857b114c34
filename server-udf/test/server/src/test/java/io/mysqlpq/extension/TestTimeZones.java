package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.keys.KeyCase;
import io.mysqlpq.testing.keys.KeyTypes;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a TIMESTAMP's boundaries are in UTC in every session, and mean the same rows.
 */
@TestInstance(PER_CLASS)
class TestTimeZones
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Random random = Seed.random();
    private List<List<String>> boundaries;
    private List<Long> rows;

    @BeforeAll
    void createTable()
    {
        server.execute("CREATE SCHEMA laws");
        KeyCase timestamps = KeyTypes.all().stream().filter(type -> type.title().equals("TIMESTAMP(6)")).findFirst().orElseThrow();
        timestamps.create(server, "laws.t", random);
        try (Session utc = RangeLaw.utcSession(server)) {
            RangePlan plan = RangePlan.ask(utc, "laws.t", "PRIMARY", 16);
            boundaries = plan.boundaries();
            rows = new RangeLaw(utc, "laws.t", plan).rowsPerRange();
        }
        assertThat(rows).hasSizeGreaterThan(8);
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+00:00", "-11:59", "+13:59", "+05:30", "SYSTEM"})
    void testZoneOfSessionAndServer(String zone)
    {
        server.execute("SET GLOBAL time_zone = '%s'".formatted(zone));
        try (Session session = new Session(server)) {
            assertThat(session.value("SELECT @@time_zone")).isEqualTo(zone);
            RangePlan plan = RangePlan.ask(session, "laws.t", "PRIMARY", 16);
            assertThat(plan.boundaries()).isEqualTo(boundaries);
            String bound = boundaries.get(boundaries.size() / 2).getFirst();
            RangePlan part = RangePlan.ask(session, "laws.t", "PRIMARY", 4096, "{\"lower\": [\"%s\"]}".formatted(bound));
            assertThat(part.boundaries().getFirst().getFirst()).isGreaterThanOrEqualTo(bound);
            session.execute("SET time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'");
            RangeLaw law = new RangeLaw(session, "laws.t", plan);
            law.check();
            assertThat(law.rowsPerRange()).isEqualTo(rows);
        }
    }
}
