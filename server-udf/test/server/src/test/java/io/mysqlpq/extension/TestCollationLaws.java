package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests every collation that the server has: only where its index order is that of its comparisons can SQL read a range.
 */
@TestInstance(PER_CLASS)
class TestCollationLaws
{
    private static final int ROWS = 1_000;
    // In no collation but these does MySQL 9.7 lose rows, and these are refused.
    private static final Set<String> REFUSED = Set.of("varchar gb18030_chinese_ci", "char gb18030_chinese_ci", "char tis620_thai_ci");

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("sql-mode", "").start();
    private final Session session = new Session(server).execute("CREATE SCHEMA laws");
    private final Random random = Seed.random();

    @AfterAll
    void assertErrorLogClean()
    {
        session.close();
        server.assertErrorLogClean();
    }

    List<String> collations()
    {
        return session.values("SELECT collation_name FROM information_schema.collations WHERE character_set_name <> 'binary' ORDER BY 1");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("collations")
    void testVarchar(String collation)
    {
        checkRanges("varchar", collation);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("collations")
    void testChar(String collation)
    {
        checkRanges("char", collation);
    }

    @Test
    void testAllCollationsWereListed()
    {
        assertThat(collations()).hasSizeGreaterThan(200).contains("utf8mb4_0900_ai_ci", "latin1_german2_ci", "tis620_thai_ci");
    }

    private void checkRanges(String type, String collation)
    {
        createTable(type, collation);
        if (REFUSED.contains(type + " " + collation)) {
            session.assertRefused(RangePlan.call("laws.t", "PRIMARY", 16, null), "unsupported_key");
            return;
        }
        RangePlan plan = RangePlan.ask(session, "laws.t", "PRIMARY", 16, "{\"leaf\": true}");
        assertThat(plan.count()).isGreaterThan(8);
        RangeLaw law = new RangeLaw(session, "laws.t", plan);
        law.assertEachRowInOneRange();
        law.assertReadersFindAllRows();
    }

    private void createTable(String type, String collation)
    {
        String charset = session.value("SELECT character_set_name FROM information_schema.collations WHERE collation_name = '%s'".formatted(collation));
        session.execute(
                "DROP TABLE IF EXISTS laws.t",
                "CREATE TABLE laws.t (k %s(8) CHARACTER SET %s COLLATE %s, PRIMARY KEY (k))".formatted(type, charset, collation),
                "INSERT IGNORE INTO laws.t (k) VALUES " + randomRows(charset));
    }

    // Half of them any bytes, where each byte is a character, so that scripts that Unicode text would lose are met too.
    private String randomRows(String charset)
    {
        boolean bytes = session.number("SELECT maxlen FROM information_schema.character_sets WHERE character_set_name = '%s'".formatted(charset)) == 1;
        return Stream.generate(() -> bytes && random.nextBoolean() ? randomBytes(charset) : RandomText.literal(RandomText.draw(random, 8)))
                .limit(ROWS)
                .map("(%s)"::formatted)
                .collect(joining(","));
    }

    private String randomBytes(String charset)
    {
        byte[] bytes = new byte[random.nextInt(9)];
        random.nextBytes(bytes);
        return "_%s x'%s'".formatted(charset, HexFormat.of().formatHex(bytes));
    }
}
