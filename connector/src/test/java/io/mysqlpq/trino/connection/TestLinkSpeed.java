package io.mysqlpq.trino.connection;

import io.airlift.testing.TestingTicker;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalDouble;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Measures the connection to a real MySQL. TestSlowLinks has a slow one. */
@TestInstance(PER_CLASS)
class TestLinkSpeed
{
    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().start();
    private final TestingTicker ticker = new TestingTicker();
    private final LinkSpeed link = new LinkSpeed(ticker);

    @Test
    void testMeasuredNowAndThen()
            throws SQLException
    {
        try (Connection connection = mysql.connect()) {
            OptionalDouble speed = link.bytesPerSecond(connection, sql -> sql);
            assertThat(speed.orElseThrow()).isGreaterThan(1_000_000);
            ticker.increment(9, MINUTES);
            assertThat(link.bytesPerSecond(connection, _ -> "nobody asks this")).isEqualTo(speed);
            ticker.increment(2, MINUTES);
            assertThat(link.bytesPerSecond(connection, sql -> sql)).isNotEqualTo(speed);
        }
    }

    @Test
    void testServerOfSmallPackets()
            throws SQLException
    {
        for (String limit : new String[] {"1048576", "1024"}) {
            mysql.execute("SET GLOBAL max_allowed_packet = " + limit);
            try (Connection connection = mysql.connect()) {
                OptionalDouble speed = new LinkSpeed(ticker).bytesPerSecond(connection, sql -> sql);
                assertThat(speed.isPresent()).isEqualTo(limit.equals("1048576"));
                assertThat(connection.isValid(1)).isTrue();
            }
            finally {
                mysql.execute("SET GLOBAL max_allowed_packet = DEFAULT");
            }
        }
    }
}
