package io.mysqlpq.trino.connection;

import io.trino.spi.QueryId;

/** Marks each statement by a comment with the Trino query that it belongs to. */
public final class StatementMark
{
    private static final String NAME = "mysql_pq";

    private StatementMark()
    {}

    /** The format of base-jdbc's {@code query.comment-format} that puts the mark before what the user wants there. */
    public static String commentFormat(String userFormat)
    {
        return userFormat.isBlank() ? NAME + " $QUERY_ID" : "%s $QUERY_ID %s".formatted(NAME, userFormat);
    }

    /** The part of a statement's text by which its query is known. */
    static String of(QueryId query)
    {
        return "/*%s %s".formatted(NAME, query);
    }
}
