package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests every function and table with every kind of grant. What plain SQL says to the same account is the oracle: who may not SELECT
 * the columns that an answer tells about gets the error, word for word, that a SELECT of them gives, also where they do not exist.
 */
@TestInstance(PER_CLASS)
class TestPrivilegeMatrix
{
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final int PRIVILEGE_DENIED = 1227;

    private static final String UNKNOWN_TOKEN = "0123456789abcdef0123456789abcdef";

    // What has no rows, reads no page and asks for no key needs some column of the table.
    private static final String SOME_COLUMN = "COUNT(*)";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .option("plugin-load-add", "mysql_pq.so")
            .option("partial-revokes", "ON")
            .start();

    /** A statement about a table, and the columns of which it tells something. */
    private record Call(String sql, String columns)
    {
        String oracle(String table)
        {
            return "SELECT %s FROM %s".formatted(columns, table);
        }
    }

    @BeforeAll
    void createTables()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (a INT, b INT, c INT, d INT, PRIMARY KEY (a, b), KEY by_c (c))",
                "INSERT INTO s.t VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3), (4, 4, 4, 4)",
                "CREATE TABLE s.u (k INT PRIMARY KEY)",
                // Everybody may read d through a view of root's, which locks the table in the reader's session.
                "CREATE SCHEMA views",
                "CREATE SQL SECURITY DEFINER VIEW views.w AS SELECT d FROM s.t",
                "CREATE SQL SECURITY DEFINER VIEW views.boundaries AS SELECT lower_key FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 't'",
                "CREATE SQL SECURITY DEFINER VIEW views.plan AS " + RangePlan.call("s.t", "PRIMARY", 4, null));
        for (KindOfGrant kind : KindOfGrant.values()) {
            server.execute("CREATE USER %s IDENTIFIED BY 'secret'".formatted(kind.account()), "GRANT SELECT ON views.* TO " + kind.account());
            server.execute(kind.statements());
        }
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private Session session(KindOfGrant kind)
    {
        return new Session(server, kind.account(), "secret");
    }

    private static List<Call> calls(String table, String token)
    {
        List<Call> calls = new ArrayList<>(List.of(
                new Call(RangePlan.call(table, "PRIMARY", 4, "{\"leaf\": true}"), "a, b"),
                new Call(RangePlan.call(table, "PRIMARY", 4, "{\"lower\": [\"2\"]}"), "a, b"),
                new Call(RangePlan.call(table, "by_c", 4, "{\"leaf\": true}"), "c, a, b"),
                new Call("SELECT mysql_pq_definition('s', '%s', 'PRIMARY')".formatted(table.substring(2)), "a, b"),
                new Call("SELECT mysql_pq_definition('s', '%s', 'by_c')".formatted(table.substring(2)), "c, a, b"),
                new Call("SELECT mysql_pq_snapshot_covers('s', '%s')".formatted(table.substring(2)), SOME_COLUMN),
                new Call("SELECT lower_key FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = '%s'".formatted(table.substring(2)), "a, b"),
                new Call("SELECT COUNT(*) FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = '%s' AND index_name = 'by_c'".formatted(table.substring(2)), "c, a, b"),
                new Call(NativeScan.sql(table, token, "{\"columns\": []}", 1), "a, b")));
        // A name is read in any case, and one that is none must look like one that may not be read.
        for (String column : List.of("a", "c", "d", "D", "nowhere", "!hidden!x!0!0", "DB_ROW_ID")) {
            String columns = "{\"columns\": [[\"%s\", \"int32\"]]}".formatted(column);
            String filters = "{\"columns\": [], \"filters\": [{\"any\": [[{\"column\": \"%s\", \"intervals\": [], \"nulls\": true}]]}]}".formatted(column);
            String comparison = "{\"columns\": [], \"filters\": [{\"left\": \"%1$s\", \"comparison\": \"<\", \"right\": \"%1$s\"}]}".formatted(column);
            for (String options : List.of(columns, filters, comparison)) {
                calls.add(new Call(NativeScan.sql(table, token, options, 1), "a, b, `%s`".formatted(column)));
                calls.add(new Call(RangePlan.call(table, "PRIMARY", 4, options), "a, b, `%s`".formatted(column)));
            }
            calls.add(new Call(RangePlan.call(table, "PRIMARY", 4, "{\"off_page\": [\"%s\"]}".formatted(column)), "a, b, `%s`".formatted(column)));
        }
        return calls;
    }

    @ParameterizedTest
    @EnumSource
    void testAsPlainSql(KindOfGrant kind)
    {
        int denied = 0;
        try (Session session = session(kind); Session observer = new Session(server)) {
            String token = share(session);
            for (String table : List.of("s.t", "s.nowhere")) {
                for (Call call : calls(table, token)) {
                    Outcome expected = outcome(session, call.oracle(table));
                    long pages = pagesRead(observer);
                    Outcome actual = outcome(session, call.sql());
                    if (expected.isDenied()) {
                        assertThat(actual).as(call.sql()).isEqualTo(expected);
                        assertThat(pagesRead(observer)).as("a page was read for %s", call.sql()).isEqualTo(pages);
                        denied++;
                    }
                    else {
                        assertThat(actual.isAnswer()).as("%s: %s", call.sql(), actual).isEqualTo(expected.isAnswer());
                    }
                }
            }
        }
        assertThat(denied == 0).isEqualTo(Set.of(KindOfGrant.GLOBAL, KindOfGrant.SCHEMA, KindOfGrant.REVOKED_OTHER_SCHEMA).contains(kind));
    }

    // The reply tells how large the table is, whatever its columns hold.
    @ParameterizedTest
    @EnumSource
    void testReadAhead(KindOfGrant kind)
    {
        boolean settings = kind.name().endsWith("_SETTINGS") || kind == KindOfGrant.EVERYTHING_BUT_SELECT;
        try (Session session = session(kind)) {
            int denied = settings ? TABLE_ACCESS_DENIED : PRIVILEGE_DENIED;
            assertThat(outcome(session, "SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY')").code()).isEqualTo(kind == KindOfGrant.TABLE_AND_SETTINGS ? 0 : denied);
            session.assertFails("SELECT mysql_pq_read_ahead('s', 'nowhere', 'PRIMARY')", denied);
        }
    }

    // What a view reads its definer may see, but functions and tables of the extension answer to who asks.
    @ParameterizedTest
    @EnumSource
    void testDefinerViews(KindOfGrant kind)
    {
        try (Session session = session(kind)) {
            assertThat(session.values("SELECT d FROM views.w")).hasSize(4);
            Outcome expected = outcome(session, "SELECT a, b FROM s.t");
            for (String view : List.of("views.boundaries", "views.plan")) {
                Outcome actual = outcome(session, "SELECT * FROM " + view);
                assertThat(actual.isAnswer()).as("%s: %s", view, actual).isEqualTo(expected.isAnswer());
            }
        }
    }

    // Whatever an account may read, it learns of another's snapshot nothing but what SHOW PROCESSLIST says of the session.
    @ParameterizedTest
    @EnumSource
    void testTokenOfAnother(KindOfGrant kind)
    {
        try (SnapshotReader owner = SnapshotReader.open(server, "s.t"); Session intruder = session(kind)) {
            intruder.execute("START TRANSACTION READ ONLY", "SELECT * FROM views.w");
            for (String call : List.of(
                    "SELECT mysql_pq_snapshot_adopt('%s')", "SELECT mysql_pq_snapshot_verify('%s')",
                    NativeScan.sql("s.t", "PRIMARY", "%s", "{\"columns\": []}", 1))) {
                Outcome stolen = outcome(intruder, call.formatted(owner.token()));
                assertThat(stolen.isAnswer()).isFalse();
                assertThat(stolen).isEqualTo(outcome(intruder, call.formatted(UNKNOWN_TOKEN)));
            }
            boolean shown = !intruder.values("SELECT 1 FROM information_schema.processlist WHERE id = %s".formatted(owner.donor().id())).isEmpty();
            assertThat(intruder.values("SELECT 1 FROM information_schema.mysql_pq_snapshots WHERE user = 'root'").isEmpty()).isEqualTo(!shown);
            assertThat(owner.session().value("SELECT mysql_pq_snapshot_verify('%s')".formatted(owner.token()))).isNotNull();
        }
    }

    // Otherwise the time would tell of a table, and of what is done to it.
    @Test
    void testDenialsDoNotWaitForLocks()
    {
        try (Session admin = new Session(server); Session session = session(KindOfGrant.NOTHING)) {
            session.execute("SET lock_wait_timeout = 1");
            admin.execute("LOCK TABLES s.t WRITE");
            for (Call call : calls("s.t", UNKNOWN_TOKEN)) {
                // In a transaction of its own kind, without which some say bad_snapshot before all else.
                if (!call.sql().contains("covers")) {
                    session.assertFails(call.sql(), TABLE_ACCESS_DENIED);
                }
            }
            admin.execute("UNLOCK TABLES");
        }
    }

    // Counters are of the whole server, as InnoDB's own are, and of no table.
    @Test
    void testCountersNameNoTable()
    {
        try (Session session = session(KindOfGrant.NOTHING)) {
            assertThat(session.values("SHOW GLOBAL STATUS LIKE 'mysql\\_pq%'")).isNotEmpty().allSatisfy(name -> assertThat(name).matches("mysql_pq_[a-z_]+"));
            assertThat(session.values("SELECT COUNT(*) FROM information_schema.mysql_pq_ranges")).containsExactly("0");
        }
    }

    // Locks the table through the view, and lends the session's own snapshot to itself.
    private static String share(Session session)
    {
        session.execute("START TRANSACTION READ ONLY", "SELECT * FROM views.w");
        return RangePlan.json(session.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
    }

    private static long pagesRead(Session observer)
    {
        return StatusCounters.value(observer, "pages_read") + StatusCounters.value(observer, "scan_pages_read");
    }

    /** What a statement came to: an error, or 0 and nothing. */
    private record Outcome(int code, String message)
    {
        boolean isAnswer()
        {
            return code == 0;
        }

        boolean isDenied()
        {
            return code == TABLE_ACCESS_DENIED || code == COLUMN_ACCESS_DENIED;
        }
    }

    private static Outcome outcome(Session session, String sql)
    {
        try {
            session.query(sql);
            return new Outcome(0, "");
        }
        catch (SQLException e) {
            return new Outcome(e.getErrorCode(), e.getMessage());
        }
    }
}
