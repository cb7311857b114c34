package io.mysqlpq.extension;

/**
 * Reads the extension's status variables.
 */
record StatusCounters(long calls, long refused, long pagesRead, long running)
{
    static StatusCounters read(Session session)
    {
        return new StatusCounters(
                counter(session, "calls"),
                counter(session, "refused"),
                counter(session, "pages_read"),
                counter(session, "running"));
    }

    private static long counter(Session session, String name)
    {
        return session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'mysql_pq_%s'".formatted(name));
    }
}
