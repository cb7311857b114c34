package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the laws themselves on plans written by hand, so that they are known to see a wrong plan.
 */
@TestInstance(PER_CLASS)
class TestRangeLaw
{
    private static final KeyColumn NUMBER = new KeyColumn("a", "int", "integer", false, true, true, null, null, null);
    private static final KeyColumn TEXT = new KeyColumn("b", "varchar", "text", false, true, false, "utf8mb4", "utf8mb4_0900_ai_ci", null);

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().start();

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (a INT, b VARCHAR(9), KEY (a DESC, b))",
                "INSERT INTO s.t VALUES (5, 'x'), (5, NULL), (5, 'É'), (0, ''), (-3, 'a'), (NULL, NULL), (NULL, 'b')");
    }

    @Test
    void testRightPlans()
    {
        try (Session session = new Session(server)) {
            law(session, List.of()).check();
            law(session, List.of(key("5", "78"), key("0", ""), key("-3", "62"))).check();
            law(session, List.of(key("5", "65"), key("0", "00"), key(null, null), key(null, "61"))).check();
            law(session, List.of(key("5", "78"), key("-3", "61"))).assertBoundariesAreRows();
            assertThat(law(session, List.of(key("5", "65"), key("-3", null))).rowsPerRange()).containsExactly(1L, 3L, 3L);
        }
    }

    @Test
    void testWrongPlansAreSeen()
    {
        try (Session session = new Session(server)) {
            RangeLaw descending = law(session, List.of(key("-3", "61"), key("5", "78")));
            assertThatThrownBy(descending::assertBoundariesAscend).isInstanceOf(AssertionError.class);
            assertThatThrownBy(descending::assertEachRowInOneRange).isInstanceOf(AssertionError.class);
            assertThatThrownBy(descending::assertReadersFindAllRows).isInstanceOf(AssertionError.class);
            RangeLaw equal = law(session, List.of(key("5", "65"), key("5", "c389")));
            assertThatThrownBy(equal::assertBoundariesAscend).isInstanceOf(AssertionError.class);
            assertThatThrownBy(law(session, List.of(key("5", "79")))::assertBoundariesAreRows).isInstanceOf(AssertionError.class);
        }
    }

    private static RangeLaw law(Session session, List<List<String>> boundaries)
    {
        return new RangeLaw(session, "s.t", new RangePlan(null, List.of(NUMBER, TEXT), boundaries, null, null, null));
    }

    private static List<String> key(String number, String text)
    {
        return Arrays.asList(number, text);
    }
}
