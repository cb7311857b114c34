package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import io.trino.plugin.base.logging.FormatInterpolator;
import io.trino.plugin.base.logging.FormatInterpolator.InterpolatedValue;
import io.trino.plugin.base.logging.SessionInterpolatedValues;
import io.trino.plugin.jdbc.logging.FormatBasedRemoteQueryModifierConfig;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.QueryId;
import io.trino.spi.connector.ConnectorSession;

import java.util.Arrays;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Marks each statement by a comment that tells an administrator of MySQL who reads: the Trino query, its user and the split.
 *
 * <p>The comment stands first, since SHOW PROCESSLIST shows 100 characters of a statement, and performance_schema keeps 1024 bytes.
 */
public final class StatementMark
        implements RemoteQueryModifier
{
    private static final String NAME = "mysql_pq";
    private static final int MOST_USER_CHARACTERS = 128;
    private static final int MOST_FORMAT_CHARACTERS = 512;

    private final FormatInterpolator<ConnectorSession> userFormat;

    @Inject
    public StatementMark(FormatBasedRemoteQueryModifierConfig config)
    {
        this.userFormat = new FormatInterpolator<>(config.getFormat(), Arrays.stream(SessionInterpolatedValues.values()).map(SafeValue::new).collect(toImmutableList()));
    }

    @Override
    public String apply(ConnectorSession session, String sql)
    {
        StringBuilder mark = new StringBuilder(of(new QueryId(session.getQueryId())));
        mark.append(" user=").append(CommentText.word(session.getUser(), MOST_USER_CHARACTERS));
        if (session instanceof SplitSession split) {
            mark.append(" split=").append(CommentText.word(split.splitName(), MOST_USER_CHARACTERS));
        }
        String wanted = CommentText.line(userFormat.interpolate(session).strip(), MOST_FORMAT_CHARACTERS);
        if (!wanted.isEmpty()) {
            mark.append(' ').append(wanted);
        }
        return mark.append("*/ ").append(sql).toString();
    }

    /** Returns the part of a statement's text that names its query. */
    static String of(QueryId query)
    {
        return "/*%s %s".formatted(NAME, query);
    }

    // The interpolator takes a dollar or a backslash in a value for a reference to a group of its pattern, and fails.
    private record SafeValue(SessionInterpolatedValues value)
            implements InterpolatedValue<ConnectorSession>
    {
        @Override
        public String name()
        {
            return value.name();
        }

        @Override
        public String value(ConnectorSession session)
        {
            return CommentText.word(value.value(session), MOST_USER_CHARACTERS);
        }
    }
}
