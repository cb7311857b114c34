package io.mysqlpq.trino.connection;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Parses a statement of this connector, as MySQL's process list shows it.
 *
 * @param query Trino's id of the query
 * @param user Trino's user
 * @param split such as 3/8, if one is read
 * @param sql without the mark. It may hold a snapshot's token, so it is shown to nobody
 */
public record MarkedStatement(String query, String user, Optional<String> split, String sql)
{
    /** Is true of statements with a mark, in a query with the column {@code info}. */
    public static final String CONDITION = "LEFT(info, 11) = '/*mysql_pq '";

    private static final Pattern MARK = Pattern.compile("/\\*mysql_pq (\\S+) user=([^ *]*)(?: split=([^ *]+))?[^*]*\\*/ (.*)", Pattern.DOTALL);
    private static final Pattern ESCAPED = Pattern.compile("%[0-9A-F]{2}");

    public MarkedStatement
    {
        requireNonNull(query, "query is null");
        requireNonNull(user, "user is null");
        requireNonNull(split, "split is null");
        requireNonNull(sql, "sql is null");
    }

    /** Parses a statement. Empty if it has no such mark. */
    public static Optional<MarkedStatement> parse(String text)
    {
        Matcher mark = MARK.matcher(text);
        return mark.matches()
                ? Optional.of(new MarkedStatement(mark.group(1), unescape(mark.group(2)), Optional.ofNullable(mark.group(3)).map(MarkedStatement::unescape), mark.group(4)))
                : Optional.empty();
    }

    // What CommentText wrote. All of it is ASCII.
    private static String unescape(String word)
    {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        Matcher escaped = ESCAPED.matcher(word);
        int position = 0;
        while (position < word.length()) {
            if (escaped.region(position, word.length()).lookingAt()) {
                utf8.write(Integer.parseInt(word, position + 1, position + 3, 16));
                position += 3;
            }
            else {
                utf8.write(word.charAt(position));
                position++;
            }
        }
        return utf8.toString(UTF_8);
    }
}
