package io.mysqlpq.trino.connection;

import io.trino.plugin.jdbc.logging.FormatBasedRemoteQueryModifierConfig;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class TestStatementMark
{
    private static final int PERFORMANCE_SCHEMA_BYTES = 1024;

    @Test
    void testNamesQueryUserAndSplit()
    {
        ConnectorSession session = session("alice@example.com");
        assertThat(mark("").apply(session, "SELECT 1")).isEqualTo("/*mysql_pq %s user=alice@example.com*/ SELECT 1".formatted(session.getQueryId()));
        assertThat(mark("").apply(new SplitSession(session, "3/8"), "SELECT 1"))
                .isEqualTo("/*mysql_pq %s user=alice@example.com split=3/8*/ SELECT 1".formatted(session.getQueryId()));
        assertThat(mark("job $QUERY_ID").apply(session, "SELECT 1"))
                .isEqualTo("/*mysql_pq %1$s user=alice@example.com job %1$s*/ SELECT 1".formatted(session.getQueryId()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "*/ DROP TABLE t; /*",
            "*/*/*/",
            "a b\u0000\u0001\r\n\u001b[2J",
            "'\"`\\?{fn now()}",
            // Characters of two or three bytes each. Some of the bytes are those of an asterisk or a slash in UTF-16.
            "\u2a2f\u2f2a\u8140\u5c5c\u00e9",
            "\ud800 half a character",
            "$QUERY_ID $USER",
            "-- #"})
    void testNoUserEndsTheComment(String user)
    {
        for (String format : new String[] {"", "by $USER"}) {
            String marked = mark(format).apply(new SplitSession(session(user), "1/1"), "SELECT 1");
            assertThat(marked).endsWith("*/ SELECT 1");
            String comment = marked.substring(2, marked.length() - "*/ SELECT 1".length());
            assertThat(comment).doesNotContain("*", "?", "\\", "\n", "\r");
            assertThat(US_ASCII.newEncoder().canEncode(comment)).isTrue();
            assertThat(comment.chars()).allMatch(character -> character >= ' ' && character <= '~');
        }
        // A word of its own, in which nothing looks like another part of the comment.
        assertThat(mark("").apply(session(user), "SELECT 1")).matches("/\\*mysql_pq \\S+ user=\\S+\\*/ SELECT 1");
    }

    @Test
    void testDifferentUsersStayDifferent()
    {
        assertThat(mark("").apply(session("a b"), "")).isNotEqualTo(mark("").apply(session("a_b"), ""));
        assertThat(CommentText.word("a%20b", 100)).isEqualTo("a%2520b");
        assertThat(CommentText.word("a b", 100)).isEqualTo("a%20b");
    }

    /** A long comment would hide what the statement reads. */
    @Test
    void testCommentIsShort()
    {
        String user = "ü".repeat(1000);
        String marked = mark("$USER ".repeat(100)).apply(new SplitSession(session(user), "4096/4096"), "SELECT 1");
        assertThat(marked.getBytes(US_ASCII)).hasSizeLessThan(PERFORMANCE_SCHEMA_BYTES - 200);
        assertThat(marked).contains(" split=4096/4096 ");
        // No half of an escape.
        assertThat(CommentText.word(user, 10)).isEqualTo("%C3%BC%C3");
    }

    private static StatementMark mark(String format)
    {
        return new StatementMark(new FormatBasedRemoteQueryModifierConfig().setFormat(format));
    }

    private static ConnectorSession session(String user)
    {
        return TestingConnectorSession.builder().setIdentity(ConnectorIdentity.ofUser(user)).build();
    }
}
