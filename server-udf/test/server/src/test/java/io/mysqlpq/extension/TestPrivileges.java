package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that boundaries, which are data, are shown only to users who may SELECT their columns (hazard 3).
 */
@TestInstance(PER_CLASS)
class TestPrivileges
{
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final String CLUSTERED = RangePlan.call("s.t", "PRIMARY", 4, "{\"leaf\": true}");
    private static final String SECONDARY = RangePlan.call("s.t", "by_c", 4, "{\"leaf\": true}");
    private static final String DEFINITION = "SELECT mysql_pq_definition('s', 't', 'PRIMARY')";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("partial-revokes", "ON").start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (a INT, b INT, c INT, d INT, PRIMARY KEY (a, b), KEY by_c (c))",
                "INSERT INTO s.t VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3), (4, 4, 4, 4)");
    }

    @Test
    void testNoPrivilege()
    {
        try (Session session = user("nothing")) {
            assertDenied(session);
        }
    }

    @Test
    void testOtherPrivilegesAreNotEnough()
    {
        try (Session session = user("writer", "GRANT INSERT, UPDATE, DELETE, INDEX, ALTER, SHOW VIEW ON s.t TO writer")) {
            assertDenied(session);
        }
    }

    @Test
    void testSelectOnTable()
    {
        try (Session session = user("reader", "GRANT SELECT ON s.t TO reader")) {
            assertFullAnswer(session);
        }
    }

    @Test
    void testSelectOnSchema()
    {
        try (Session session = user("schema_reader", "GRANT SELECT ON s.* TO schema_reader")) {
            assertFullAnswer(session);
        }
    }

    @Test
    void testColumnsNotOfTheKey()
    {
        try (Session session = user("other_column", "GRANT SELECT (d) ON s.t TO other_column")) {
            assertColumnsDenied(session);
        }
    }

    @Test
    void testPartOfTheKeyColumns()
    {
        try (Session session = user("part_of_key", "GRANT SELECT (a, c, d) ON s.t TO part_of_key")) {
            session.assertFails(CLUSTERED, COLUMN_ACCESS_DENIED);
            session.assertFails(SECONDARY, COLUMN_ACCESS_DENIED);
        }
    }

    @Test
    void testAllKeyColumnsButNotTheTable()
    {
        try (Session session = user("key_columns", "GRANT SELECT (a, b) ON s.t TO key_columns")) {
            RangePlan plan = RangePlan.parse(session.value(CLUSTERED));
            assertThat(plan.count()).isEqualTo(4);
            assertThat(plan.rows()).isNull();
            assertThat(plan.pages()).isNull();
            assertThat(plan.reply().required("height").isNull()).isTrue();
            // The secondary key's first column is not granted.
            session.assertFails(SECONDARY, COLUMN_ACCESS_DENIED);
        }
    }

    // A physical secondary key ends in the primary key's columns, which are shown too.
    @Test
    void testSecondaryKeyNeedsThePrimaryKeysColumns()
    {
        try (Session session = user("secondary_only", "GRANT SELECT (a, c) ON s.t TO secondary_only")) {
            session.assertFails(SECONDARY, COLUMN_ACCESS_DENIED);
        }
        try (Session session = user("secondary_all", "GRANT SELECT (a, b, c) ON s.t TO secondary_all")) {
            assertThat(RangePlan.parse(session.value(SECONDARY)).rows()).isNull();
        }
    }

    @Test
    void testRoles()
    {
        try (Session session = user("member", "CREATE ROLE r", "GRANT SELECT ON s.t TO r", "GRANT r TO member")) {
            assertDenied(session);
            session.execute("SET ROLE r");
            assertFullAnswer(session);
            session.execute("SET ROLE NONE");
            assertDenied(session);
        }
    }

    @Test
    void testColumnGrantsOfRoles()
    {
        try (Session session = user("column_member", "CREATE ROLE rc", "GRANT SELECT (a, b) ON s.t TO rc", "GRANT rc TO column_member")) {
            assertDenied(session);
            session.execute("SET ROLE rc");
            assertThat(RangePlan.parse(session.value(CLUSTERED)).rows()).isNull();
        }
    }

    @Test
    void testPartialRevoke()
    {
        try (Session session = user("revoked", "GRANT SELECT ON *.* TO revoked", "REVOKE SELECT ON s.* FROM revoked")) {
            assertDenied(session);
        }
    }

    @Test
    void testRevokeIsSeenByTheNextCall()
    {
        try (Session session = user("fired", "GRANT SELECT ON s.t TO fired")) {
            assertFullAnswer(session);
            server.execute("REVOKE SELECT ON s.t FROM fired");
            assertDenied(session);
        }
    }

    // The function of a view runs with its caller's privileges.
    @Test
    void testViewGivesNoPrivilege()
    {
        server.execute("CREATE VIEW s.v AS " + CLUSTERED);
        try (Session session = user("view_reader", "GRANT SELECT ON s.v TO view_reader")) {
            session.assertFails("SELECT * FROM s.v", TABLE_ACCESS_DENIED);
        }
    }

    private static void assertDenied(Session session)
    {
        session.assertFails(CLUSTERED, TABLE_ACCESS_DENIED);
        session.assertFails(SECONDARY, TABLE_ACCESS_DENIED);
        session.assertFails(DEFINITION, TABLE_ACCESS_DENIED);
        // What does not exist looks the same as what may not be seen.
        session.assertFails(RangePlan.call("s.nowhere", "PRIMARY", 4, null), TABLE_ACCESS_DENIED);
    }

    // Some columns may be seen, so the table is no secret, but not those of the keys.
    private static void assertColumnsDenied(Session session)
    {
        session.assertFails(CLUSTERED, COLUMN_ACCESS_DENIED);
        session.assertFails(SECONDARY, COLUMN_ACCESS_DENIED);
        session.assertFails(DEFINITION, COLUMN_ACCESS_DENIED);
    }

    private static void assertFullAnswer(Session session)
    {
        RangePlan plan = RangePlan.parse(session.value(CLUSTERED));
        assertThat(plan.count()).isEqualTo(4);
        assertThat(plan.rows()).isNotNull();
        assertThat(plan.reply().required("height").intValue()).isEqualTo(1);
        assertThat(session.value(DEFINITION)).contains(plan.definition());
        assertThat(RangePlan.parse(session.value(SECONDARY)).rows()).isNotNull();
    }

    private Session user(String name, String... grants)
    {
        server.execute("CREATE USER %s IDENTIFIED BY 'secret'".formatted(name));
        server.execute(grants);
        return new Session(server, name, "secret");
    }
}
