package io.mysqlpq.trino.server;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MALFORMED_REPLY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Asks a real MySQL whose functions of the extension's names are stored functions that answer what a test wants. */
@TestInstance(PER_CLASS)
class TestExtensionRanges
{
    private static final String GOOD_VERSION = """
            {"extension": "9", "protocol": 1, "server_version": "9", "enabled": true, "max_ranges": 8}""";
    private static final String GOOD_RANGES = """
            {"protocol": 1, "schema": "test", "table": "t", "index": "PRIMARY", "clustered": true, "definition": "d", "pages_read": 1,
             "columns": [{"name": "k", "encoding": "integer", "nullable": false, "descending": false, "charset": null, "collation": null, "prefix": null}],
             "boundaries": [["1"]], "rows": [1, 2]}""";

    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute("CREATE DATABASE test");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @Test
    void testGoodReply()
            throws Exception
    {
        answer(GOOD_VERSION, GOOD_RANGES);
        try (Connection connection = connect()) {
            assertThat(ranges().ask(TestingConnectorSession.SESSION, connection, request()).ranges()).hasSize(2);
        }
    }

    // An extension that does not tell that it knows the option would refuse it.
    @Test
    void testOffPageIsSentToWhoKnowsIt()
            throws Exception
    {
        try (Connection connection = connect()) {
            answer(GOOD_VERSION, GOOD_RANGES);
            rangesFunction("BEGIN IF o IS NOT NULL THEN SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = 'unknown option'; END IF; RETURN %s; END".formatted(literal(GOOD_RANGES)));
            RangesRequest request = request().withOffPage(ImmutableList.of("payload"));
            assertThat(ranges().ask(TestingConnectorSession.SESSION, connection, request).ranges()).hasSize(2);
            answer(GOOD_VERSION.replace("8}", "8, \"features\": [\"off_page\"]}"), GOOD_RANGES);
            rangesFunction("RETURN IF(o = '{\"off_page\":[\"payload\"]}', %s, NULL)".formatted(literal(GOOD_RANGES)));
            assertThat(ranges().ask(TestingConnectorSession.SESSION, connection, request).ranges()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{\"protocol\": 1}", "garbage"})
    void testMalformedReplyFails(String reply)
    {
        answer(GOOD_VERSION, reply);
        assertTrinoExceptionThrownBy(this::ask).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
        answer(reply, GOOD_RANGES);
        assertTrinoExceptionThrownBy(this::ask).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
    }

    @Test
    void testNullReplyFails()
    {
        answer(GOOD_VERSION, null);
        assertTrinoExceptionThrownBy(this::ask).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
    }

    @Test
    void testUnsupportedReplies()
    {
        answer(GOOD_VERSION.replace("\"protocol\": 1", "\"protocol\": 99"), GOOD_RANGES);
        assertUnavailable(FallbackCause.UNKNOWN_PROTOCOL);
        answer(GOOD_VERSION, GOOD_RANGES.replace("\"protocol\": 1", "\"protocol\": 99"));
        assertUnavailable(FallbackCause.UNKNOWN_PROTOCOL);
        answer(GOOD_VERSION, GOOD_RANGES.replace("\"integer\"", "\"roman\""));
        assertUnavailable(FallbackCause.UNKNOWN_ENCODING);
        answer(GOOD_VERSION.replace("true", "false"), GOOD_RANGES);
        assertUnavailable(FallbackCause.DISABLED);
    }

    @Test
    void testErrorsThatMeanNoRanges()
    {
        answer(GOOD_VERSION, GOOD_RANGES);
        fail(3200, "mysql_pq: unsupported_key: column d has type date");
        assertUnavailable(FallbackCause.UNSUPPORTED_KEY);
        fail(3200, "mysql_pq: disabled: mysql_pq_enabled is OFF");
        assertUnavailable(FallbackCause.DISABLED);
        fail(1142, "SELECT command denied");
        assertUnavailable(FallbackCause.ACCESS_DENIED);
        fail(1347, "test.v is not BASE TABLE");
        assertUnavailable(FallbackCause.NO_INDEX);
    }

    @Test
    void testErrorsThatMeanFailure()
    {
        answer(GOOD_VERSION, GOOD_RANGES);
        fail(3200, "mysql_pq: bad_argument: count is 0");
        assertThatThrownBy(this::ask).isInstanceOf(SQLException.class).hasMessageContaining("bad_argument");
        fail(1317, "Query execution was interrupted");
        assertThatThrownBy(this::ask).isInstanceOf(SQLException.class).hasMessageContaining("interrupted");
    }

    @Test
    void testMissingExtension()
    {
        mysql.execute("DROP FUNCTION IF EXISTS test.mysql_pq_version");
        assertUnavailable(FallbackCause.NOT_INSTALLED);
    }

    @Test
    void testHandshakeIsRememberedForALimitedTime()
            throws Exception
    {
        AtomicLong nanos = new AtomicLong();
        ExtensionProbe probe = probe(nanos);
        answer(GOOD_VERSION, GOOD_RANGES);
        try (Connection connection = connect()) {
            assertThat(probe.version(connection).extension()).isEqualTo("9");
            answer(GOOD_VERSION.replace("\"9\", \"protocol\"", "\"10\", \"protocol\""), GOOD_RANGES);
            nanos.addAndGet(SECONDS.toNanos(59));
            assertThat(probe.version(connection).extension()).isEqualTo("9");
            nanos.addAndGet(SECONDS.toNanos(1));
            assertThat(probe.version(connection).extension()).isEqualTo("10");
        }
    }

    // An administrator who switches the extension on again does not wait for the whole time.
    @Test
    void testRefusalIsRememberedBriefly()
            throws Exception
    {
        AtomicLong nanos = new AtomicLong();
        ExtensionProbe probe = probe(nanos);
        answer(GOOD_VERSION.replace("true", "false"), GOOD_RANGES);
        try (Connection connection = connect()) {
            assertThatThrownBy(() -> probe.version(connection)).hasMessage("mysql_pq_enabled is OFF");
            answer(GOOD_VERSION, GOOD_RANGES);
            nanos.addAndGet(MILLISECONDS.toNanos(999));
            assertThatThrownBy(() -> probe.version(connection)).hasMessage("mysql_pq_enabled is OFF");
            nanos.addAndGet(MILLISECONDS.toNanos(1));
            assertThat(probe.version(connection).extension()).isEqualTo("9");
        }
    }

    private static ExtensionProbe probe(AtomicLong nanos)
    {
        return new ExtensionProbe(new Duration(60, SECONDS), new Ticker() {
            @Override
            public long read()
            {
                return nanos.get();
            }
        });
    }

    private void assertUnavailable(FallbackCause cause)
    {
        assertThatThrownBy(this::ask)
                .isInstanceOfSatisfying(ExtensionUnavailableException.class, exception -> assertThat(exception.fallbackCause()).isEqualTo(cause));
    }

    private void ask()
            throws Exception
    {
        try (Connection connection = connect()) {
            ranges().ask(TestingConnectorSession.SESSION, connection, request());
        }
    }

    private static ExtensionRanges ranges()
    {
        return new ExtensionRanges(new ServerConfig().setExtensionProbeTtl(new Duration(0, SECONDS)), RemoteQueryModifier.NONE, Ticker.systemTicker());
    }

    private static RangesRequest request()
    {
        return new RangesRequest("test", "t", "PRIMARY", 4, KeyRange.all());
    }

    private Connection connect()
            throws SQLException
    {
        Connection connection = mysql.connect();
        connection.setCatalog("test");
        return connection;
    }

    private void answer(String version, String ranges)
    {
        mysql.execute(
                "DROP FUNCTION IF EXISTS test.mysql_pq_version",
                "CREATE FUNCTION test.mysql_pq_version() RETURNS TEXT DETERMINISTIC RETURN " + literal(version));
        rangesFunction("RETURN " + literal(ranges));
    }

    private void fail(int error, String message)
    {
        rangesFunction("BEGIN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = %d, MESSAGE_TEXT = %s; RETURN NULL; END".formatted(error, literal(message)));
    }

    private void rangesFunction(String body)
    {
        mysql.execute(
                "DROP FUNCTION IF EXISTS test.mysql_pq_ranges",
                "CREATE FUNCTION test.mysql_pq_ranges(s TEXT, t TEXT, i TEXT, c INT, o TEXT) RETURNS TEXT DETERMINISTIC " + body);
    }

    private static String literal(String text)
    {
        return text == null ? "NULL" : "'" + text.replace("'", "''") + "'";
    }
}
