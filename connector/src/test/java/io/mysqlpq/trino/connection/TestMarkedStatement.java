package io.mysqlpq.trino.connection;

import io.trino.plugin.jdbc.logging.FormatBasedRemoteQueryModifierConfig;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class TestMarkedStatement
{
    private static final String SQL = "SELECT `a */ b` FROM `s`.`t`\nWHERE x = '/*mysql_pq y user=z*/'";

    @ParameterizedTest
    @ValueSource(strings = {"alice", "alice@example.com", "a b", "*/ DROP TABLE t; /*", "100%", "%41", "Ünal 😀", "?", "a split=9/9"})
    void testUserComesBack(String user)
    {
        ConnectorSession session = TestingConnectorSession.builder().setIdentity(ConnectorIdentity.ofUser(user)).build();
        assertThat(MarkedStatement.parse(mark("", session)))
                .contains(new MarkedStatement(session.getQueryId(), user, Optional.empty(), SQL));
        assertThat(MarkedStatement.parse(mark("", new SplitSession(session, "3/8"))))
                .contains(new MarkedStatement(session.getQueryId(), user, Optional.of("3/8"), SQL));
    }

    @Test
    void testCommentOfTheAdministrator()
    {
        ConnectorSession session = TestingConnectorSession.builder().setIdentity(ConnectorIdentity.ofUser("alice")).build();
        assertThat(MarkedStatement.parse(mark("team=x user=$USER", new SplitSession(session, "1/2"))))
                .contains(new MarkedStatement(session.getQueryId(), "alice", Optional.of("1/2"), SQL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SELECT 1", "/* mysql_pq q user=u*/ SELECT 1", "/*mysql_pq q user=u", "/*mysql_pq q*/ SELECT 1", "SELECT /*mysql_pq q user=u*/ 1"})
    void testOthers(String sql)
    {
        assertThat(MarkedStatement.parse(sql)).isEmpty();
    }

    private static String mark(String format, ConnectorSession session)
    {
        return new StatementMark(new FormatBasedRemoteQueryModifierConfig().setFormat(format)).apply(session, SQL);
    }
}
