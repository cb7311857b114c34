package io.mysqlpq.trino.operations;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

/** Tells the purpose of a statement of this connector from the beginning of its text. */
enum StatementKind
{
    /** Calls of {@code mysql_pq_scan}. */
    NATIVE_SCAN,
    /** A split that is read by SQL. */
    SQL_SCAN,
    /** Questions for ranges, plans, definitions and the dictionary. */
    PLANNING,
    /** All else: a whole query, or a write. */
    STATEMENT,
    /** A session that lends its snapshot. */
    SNAPSHOT;

    // Names have 64 characters at most. Without a limit Java's patterns need stack for each character, and the text may be anybody's.
    private static final Pattern NATIVE = Pattern.compile("SELECT mysql_pq_scan\\('((?:[^'\\\\]|''|\\\\.){0,64}+)', {0,9}'((?:[^'\\\\]|''|\\\\.){0,64}+)'");
    private static final Pattern FROM = Pattern.compile("(?:FROM|INTO|UPDATE) `((?:[^`]|``){1,64}+)`\\.`((?:[^`]|``){1,64}+)`");
    private static final Pattern QUESTION = Pattern.compile("EXPLAIN |SHOW |SELECT mysql_pq_|SELECT .*\\b(information_schema|performance_schema)\\.", CASE_INSENSITIVE | Pattern.DOTALL);

    static StatementKind of(String sql, boolean isSplit)
    {
        if (NATIVE.matcher(sql).lookingAt()) {
            return NATIVE_SCAN;
        }
        if (QUESTION.matcher(sql).lookingAt()) {
            return PLANNING;
        }
        return isSplit ? SQL_SCAN : STATEMENT;
    }

    /** The first table that the statement names; empty if MySQL does not show its parameters. */
    static Optional<TableName> table(String sql)
    {
        return NATIVE.matcher(sql).results().findFirst().map(found -> name(found, "''", "'"))
                .or(() -> FROM.matcher(sql).results().findFirst().map(found -> name(found, "``", "`")));
    }

    private static TableName name(MatchResult found, String doubled, String quote)
    {
        return new TableName(found.group(1).replace(doubled, quote), found.group(2).replace(doubled, quote));
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ENGLISH).replace('_', ' ');
    }

    record TableName(String schema, String table)
    {}
}
