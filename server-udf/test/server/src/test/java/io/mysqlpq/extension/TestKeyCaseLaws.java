package io.mysqlpq.extension;

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

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Holds keys of every type and shape to the law: ascending and descending, primary and secondary, with and without NULLs.
 */
@TestInstance(PER_CLASS)
class TestKeyCaseLaws
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).keyring().start();
    private final Random random = Seed.random();

    @BeforeAll
    void createSchema()
    {
        server.execute("CREATE SCHEMA laws");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    static List<KeyCase> cases()
    {
        return Stream.concat(KeyTypes.all().stream(), KeyShapes.all().stream()).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void testEveryRowInOneRange(KeyCase key)
    {
        key.create(server, "laws.t", random);
        try (Session session = RangeLaw.utcSession(server)) {
            for (String index : key.indexes()) {
                RangePlan plan = RangePlan.ask(session, "laws.t", index, 16);
                assertThat(plan.count()).as(index).isBetween(8, 16);
                RangeLaw law = new RangeLaw(session, "laws.t", plan);
                law.check();
                // The padding of CHAR is no part of a boundary, so a comparison without padding finds no row at it.
                if (!key.title().startsWith("CHAR")) {
                    law.assertBoundariesAreRows();
                }
                assertBoundsAreUnderstood(session, index);
            }
        }
    }

    // What the reply writes, a request takes: a part of the tree begins where its lower bound stands.
    private static void assertBoundsAreUnderstood(Session session, String index)
    {
        List<List<String>> all = RangePlan.ask(session, "laws.t", index, 4096).boundaries();
        String value = all.get(all.size() / 2).getFirst();
        int first = IntStream.range(0, all.size()).filter(i -> Objects.equals(all.get(i).getFirst(), value)).findFirst().orElseThrow();
        String lower = value == null ? "null" : "\"" + value + "\"";
        RangePlan part = RangePlan.ask(session, "laws.t", index, 4096, "{\"lower\": [%s]}".formatted(lower));
        int size = part.boundaries().size();
        assertThat(part.boundaries()).as("boundaries of %s from %s on", index, lower).isEqualTo(all.subList(all.size() - size, all.size()));
        // A whole key that stands at the bound itself separates nothing.
        int expected = all.size() - first - (part.columns().size() == 1 ? 1 : 0);
        // Other texts than this may equal it.
        boolean text = part.columns().getFirst().encoding().equals("text");
        assertThat(size).isBetween(expected, text ? all.size() : expected);
    }
}
