package io.mysqlpq.trino.doctor;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.doctor.Finding.Status;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.doctor.Finding.Status.OK;
import static io.mysqlpq.trino.doctor.Finding.Status.PROBLEM;
import static io.mysqlpq.trino.doctor.Finding.Status.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Spoils a real server, and follows the advice. */
@TestInstance(PER_CLASS)
class TestDoctor
{
    private static final String INSTALL = "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'";

    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "CREATE TABLE test.`odd ``name` (k BIGINT PRIMARY KEY, v INT)",
                "CREATE USER 'o''brien@home'@'127.0.0.%'",
                "GRANT SELECT (k) ON test.t TO 'o''brien@home'@'127.0.0.%'",
                "GRANT INSERT ON test.`odd ``name` TO 'o''brien@home'@'127.0.0.%'",
                "CREATE USER stranger@'127.0.0.1'");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    // But for time zones and TLS, which this server and this session lack.
    @Test
    void testHealthyServer()
    {
        List<Finding> findings = examine("root");
        assertThat(findings).filteredOn(finding -> finding.status() != OK).extracting(Finding::check).containsExactlyInAnyOrder("time zones", "TLS");
        assertThat(finding(findings, "extension").found()).contains(getOnlyElement(mysql.values("SELECT JSON_UNQUOTE(JSON_EXTRACT(mysql_pq_version(), '$.extension'))")));
        assertThat(finding(findings, "functions").status()).isEqualTo(OK);
        assertThat(finding(findings, "snapshot").found()).startsWith("EXACT");
        assertThat(finding(findings, "server version").found()).contains(getOnlyElement(mysql.values("SELECT @@version")));
        assertThat(mysql.status("mysql_pq_scans_running")).isZero();
    }

    @Test
    void testAbsentExtension()
    {
        mysql.execute("UNINSTALL PLUGIN mysql_pq");
        List<Finding> findings = examine("root");
        assertThat(finding(findings, "extension").status()).isEqualTo(PROBLEM);
        assertThat(finding(findings, "extension").found()).isEqualTo("not loaded");
        assertThat(finding(findings, "extension").advice().orElseThrow()).startsWith(INSTALL).contains(getOnlyElement(mysql.values("SELECT @@plugin_dir")));
        assertThat(finding(findings, "snapshot").status()).isEqualTo(WARNING);
        assertThat(finding(findings, "snapshot").found()).startsWith("PER_SCAN").endsWith("the extension is not loaded in MySQL");
        mysql.execute(finding(findings, "extension").advice().orElseThrow());
        assertThat(finding(examine("root"), "extension").status()).isEqualTo(OK);
    }

    // Where MySQL takes no writes to its own tables.
    @Test
    void testAbsentExtensionOfReadOnlyServer()
    {
        mysql.execute("UNINSTALL PLUGIN mysql_pq", "SET GLOBAL super_read_only = ON");
        try {
            mysql.execute(finding(examine("root"), "extension").advice().orElseThrow().split("; "));
            assertThat(finding(examine("root"), "extension").status()).isEqualTo(OK);
            assertThat(mysql.values("SELECT @@super_read_only")).containsExactly("1");
        }
        finally {
            mysql.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @ParameterizedTest
    @CsvSource({
            "mysql_pq_enabled = OFF, extension, PROBLEM",
            "mysql_pq_enabled = OFF, snapshot, WARNING",
            "max_connections = 101, max_connections, WARNING",
            "max_connections = 139, max_connections, WARNING",
            "max_execution_time = 1000, max_execution_time, WARNING",
            "max_allowed_packet = 1048576, max_allowed_packet, WARNING",
            "mysql_pq_max_scans = 10, mysql_pq_max_scans, WARNING",
            "mysql_pq_max_snapshots = 0, mysql_pq_max_snapshots, WARNING",
            "mysql_pq_max_snapshots = 0, snapshot, WARNING",
    })
    void testSettings(String setting, String check, Status status)
    {
        mysql.execute("SET GLOBAL " + setting);
        Finding finding = finding(examine("root"), check);
        assertThat(finding.status()).isEqualTo(status);
        String advice = finding.advice().orElseThrow();
        assertThat(advice).startsWith("SET PERSIST ");
        mysql.execute(advice);
        assertThat(finding(examine("root"), check).status()).isEqualTo(OK);
    }

    @Test
    void testConnections()
    {
        mysql.execute("SET GLOBAL max_connections = 50", "ALTER USER stranger@'127.0.0.1' WITH MAX_USER_CONNECTIONS 20");
        try {
            List<Finding> findings = examine("stranger");
            assertThat(finding(findings, "max_connections").found()).isEqualTo("50, and 140 are needed: 100 of max-connections-per-server, 20 for metadata and monitoring of up to five nodes, and 20 for other clients");
            assertThat(finding(findings, "max_user_connections").found()).isEqualTo("20 for this account, and 120 are needed: 100 of max-connections-per-server, and 20 for metadata and monitoring of up to five nodes");
            mysql.execute(finding(findings, "max_user_connections").advice().orElseThrow());
            assertThat(finding(examine("stranger"), "max_user_connections")).isEqualTo(Finding.ok("max_user_connections", "120"));
        }
        finally {
            mysql.execute("SET GLOBAL max_connections = DEFAULT", "ALTER USER stranger@'127.0.0.1' WITH MAX_USER_CONNECTIONS 0");
        }
        assertThat(finding(examine("stranger"), "max_user_connections").status()).isEqualTo(OK);
    }

    // Each statement of the advice is executed as it stands.
    @Test
    void testMissingPrivileges()
    {
        String user = "o'brien@home";
        List<Finding> findings = examine(user);
        assertThat(finding(findings, "account").found()).isEqualTo("'o\\'brien@home'@'127.0.0.%'");
        assertThat(finding(findings, "privileges on tables").found()).contains("2 of 2 tables");
        assertThat(finding(findings, "replica lag").status()).isEqualTo(WARNING);
        for (String check : List.of("privileges on tables", "privileges on replication")) {
            assertThat(finding(findings, check).status()).isEqualTo(WARNING);
            mysql.execute(finding(findings, check).advice().orElseThrow().split("; "));
        }
        List<Finding> cured = examine(user);
        assertThat(finding(cured, "privileges on tables")).isEqualTo(Finding.ok("privileges on tables", "SELECT on all columns of 2 tables"));
        assertThat(finding(cured, "privileges on replication").status()).isEqualTo(OK);
        assertThat(finding(cured, "replica lag").status()).isEqualTo(OK);
        assertThat(finding(cured, "group member").status()).isEqualTo(OK);
    }

    @Test
    void testAccountThatSeesNothing()
    {
        List<Finding> findings = examine("stranger");
        assertThat(finding(findings, "privileges on tables").status()).isEqualTo(PROBLEM);
        assertThat(finding(findings, "privileges on tables").advice().orElseThrow()).contains("TO 'stranger'@'127.0.0.1'");
        assertThat(finding(findings, "snapshot").status()).isEqualTo(OK);
        assertThat(finding(findings, "privilege PROCESS").advice()).contains("GRANT PROCESS ON *.* TO 'stranger'@'127.0.0.1'");
    }

    @Test
    void testStoppedReplica()
    {
        mysql.execute("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'nobody'");
        try {
            assertThat(finding(examine("root"), "replica lag").status()).isEqualTo(PROBLEM);
            assertThat(finding(examine("root"), "replica lag").found()).contains("is not replicating");
        }
        finally {
            mysql.execute("RESET REPLICA ALL");
        }
        assertThat(finding(examine("root"), "replica lag").found()).isEqualTo("the server is no replica");
    }

    // Where queries fail instead of having a snapshot for each scan.
    @Test
    void testOneSnapshot()
            throws SQLException
    {
        mysql.execute("SET GLOBAL mysql_pq_enabled = OFF");
        try (Connection connection = mysql.connect()) {
            Finding snapshot = finding(new Doctor(100).examine(connection, UnaryOperator.identity(), true), "snapshot");
            assertThat(snapshot.status()).isEqualTo(PROBLEM);
            assertThat(snapshot.found()).startsWith("queries fail under snapshot-mode=EXACT: ").contains("disabled");
            mysql.execute(snapshot.advice().orElseThrow());
            assertThat(finding(new Doctor(100).examine(connection, UnaryOperator.identity(), true), "snapshot").status()).isEqualTo(OK);
        }
    }

    // What is written to MySQL's own tables comes from the source.
    @Test
    void testReplicaThatIsReadOnly()
    {
        mysql.execute("SET GLOBAL read_only = ON");
        try {
            List<Finding> findings = examine("stranger");
            for (String check : List.of("privileges on tables", "privileges on replication", "time zones")) {
                assertThat(finding(findings, check).advice().orElseThrow()).as(check).startsWith("On the source: ");
            }
            assertThat(finding(findings, "privilege PROCESS").advice().orElseThrow()).contains("On the source: GRANT PROCESS");
        }
        finally {
            mysql.execute("SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void testTls()
            throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(mysql.jdbcUrl() + "/?sslMode=REQUIRED", "root", "")) {
            Finding tls = finding(new Doctor(100).examine(connection, UnaryOperator.identity(), false), "TLS");
            assertThat(tls.status()).isEqualTo(OK);
            assertThat(tls.found()).startsWith("TLS_");
        }
    }

    @Test
    void testCommand()
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        assertThat(DoctorCommand.run(mysql.jdbcUrl(), "root", "", new PrintStream(output, true, UTF_8))).isZero();
        assertThat(output.toString(UTF_8)).contains("ok       extension: version ", "warning  time zones: ");
        output.reset();
        assertThat(DoctorCommand.run(mysql.jdbcUrl(), "stranger", "", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("problem  privileges on tables: the account sees no table");
        output.reset();
        assertThat(DoctorCommand.run(mysql.jdbcUrl(), "root", "wrong", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("problem  connection: Access denied");
        output.reset();
        assertThat(DoctorCommand.run(mysql.jdbcUrl() + "?sslMode=VERIFY_CA", "root", "", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("problem  connection: TLS refuses MySQL's certificate: Path does not chain");
        output.reset();
        assertThat(DoctorCommand.run("jdbc:mysql://127.0.0.1:1", "root", "", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("problem  connection: Communications link failure: Connection refused");
        output.reset();
        assertThat(DoctorCommand.run(mysql.jdbcUrl() + "?sslMode=VERIFY_CA&trustCertificateKeyStoreUrl=file:/nowhere.p12", "root", "", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("problem  connection: TLS cannot be set up: ", "nowhere.p12");
        output.reset();
        assertThat(DoctorCommand.run("jdbc:other://127.0.0.1", "root", "", new PrintStream(output, true, UTF_8))).isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("The URL must look like jdbc:mysql://example.net:3306: jdbc:other");
    }

    private List<Finding> examine(String user)
    {
        try (Connection connection = mysql.connect(user, "")) {
            return new Doctor(100).examine(connection, UnaryOperator.identity(), false);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Finding finding(List<Finding> findings, String check)
    {
        return getOnlyElement(findings.stream().filter(finding -> finding.check().equals(check)).toList());
    }
}
