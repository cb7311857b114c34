package io.mysqlpq.extension;

/**
 * Reads the extension's status variables.
 */
record StatusCounters(long calls, long refused, long pagesRead, long running)
{
    static StatusCounters read(Session session)
    {
        return new StatusCounters(
                value(session, "calls"),
                value(session, "refused"),
                value(session, "pages_read"),
                value(session, "running"));
    }

    static long value(Session session, String name)
    {
        return session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'mysql_pq_%s'".formatted(name));
    }
}
