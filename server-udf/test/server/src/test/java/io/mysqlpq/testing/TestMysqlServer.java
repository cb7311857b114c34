package io.mysqlpq.testing;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlServer
{
    @Test
    void testTwoServersSideBySide()
            throws Exception
    {
        try (MysqlServer first = MysqlServer.builder().start(); MysqlServer second = MysqlServer.builder().start()) {
            assertThat(first.port()).isNotEqualTo(second.port());
            assertThat(value(first, "SELECT @@server_uuid")).isNotEqualTo(value(second, "SELECT @@server_uuid"));
            first.assertErrorLogClean();
        }
    }

    @Test
    void testDataSurvivesKillAndRestart()
            throws Exception
    {
        try (MysqlServer server = MysqlServer.builder().option("max_connections", "17").start()) {
            server.execute("CREATE SCHEMA s", "CREATE TABLE s.t (a INT PRIMARY KEY)", "INSERT INTO s.t VALUES (42)");
            int port = server.port();
            server.kill();
            assertThat(server.isAlive()).isFalse();
            assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(value(server, "SELECT a FROM s.t")).isEqualTo("42");
            assertThat(value(server, "SELECT @@max_connections")).isEqualTo("17");
        }
    }

    @Test
    void testCloseLeavesNothing()
    {
        MysqlServer server = MysqlServer.builder().start();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        server.close();
        assertThat(process.isAlive()).isFalse();
        assertThat(Files.exists(server.dataDirectory().getParent())).isFalse();
    }

    @Test
    void testErrorInLogIsFound()
    {
        try (MysqlServer server = MysqlServer.builder().option("loose-no-such-option", "1").start()) {
            server.assertErrorLogClean();
            server.restart("--plugin-load-add=no_such_plugin.so");
            assertThatThrownBy(server::assertErrorLogClean)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("no_such_plugin.so");
            server.assertErrorLogClean("no_such_plugin");
        }
    }

    private static String value(MysqlServer server, String sql)
            throws SQLException
    {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
