package io.mysqlpq.extension;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestVersion
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testHandshake()
    {
        try (Session session = new Session(server)) {
            JsonNode version = RangePlan.json(session.value("SELECT mysql_pq_version()"));
            assertThat(version.required("protocol").intValue()).isEqualTo(1);
            assertThat(version.required("extension").textValue()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(session.value("SELECT @@version")).startsWith(version.required("server_version").textValue());
            assertThat(version.required("enabled").booleanValue()).isTrue();
            assertThat(version.required("max_ranges").longValue()).isEqualTo(session.number("SELECT @@mysql_pq_max_ranges"));
            assertThat(version.required("functions")).map(JsonNode::textValue)
                    .contains("mysql_pq_version", "mysql_pq_ranges", "mysql_pq_definition");
            assertThat(version.required("features")).map(JsonNode::textValue).containsExactly("off_page", "adopt_tables", "aggregate", "validators", "position", "batch_forms", "awaited_position");
        }
    }

    @Test
    void testEveryNamedFunctionExists()
    {
        try (Session session = new Session(server)) {
            for (JsonNode function : RangePlan.json(session.value("SELECT mysql_pq_version()")).required("functions")) {
                assertThat(session.number("SELECT COUNT(*) FROM performance_schema.user_defined_functions WHERE udf_name = '%s'"
                        .formatted(function.textValue()))).isEqualTo(1);
            }
        }
    }

    @Test
    void testNeedsNoPrivilege()
    {
        server.execute("CREATE USER nobody IDENTIFIED BY 'secret'");
        try (Session session = new Session(server, "nobody", "secret")) {
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
        }
    }

    @Test
    void testTextIsUtf8mb4()
    {
        try (Session session = new Session(server)) {
            assertThat(session.value("SELECT CHARSET(mysql_pq_version())")).isEqualTo("utf8mb4");
        }
    }

    @Test
    void testTakesNoArguments()
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT mysql_pq_version(1)", 1123);
        }
    }

    @Test
    void testSaysWhenDisabled()
    {
        try (Session session = new Session(server)) {
            session.execute("SET GLOBAL mysql_pq_enabled = OFF");
            assertThat(RangePlan.json(session.value("SELECT mysql_pq_version()")).required("enabled").booleanValue()).isFalse();
            session.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }
}
