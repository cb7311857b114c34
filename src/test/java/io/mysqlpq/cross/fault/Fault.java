package io.mysqlpq.cross.fault;

/**
 * Lists what may fail between Trino and MySQL, and what a query makes of it.
 *
 * <p>docs/reliability.md has a row for each, which names the tests that provoke it; the build fails if one of these did not run.
 */
enum Fault
{
    RESET_IN_MID_ROW(Outcome.ERROR),
    SERVER_KILLED(Outcome.ERROR),
    FAILOVER(Outcome.ERROR),
    KILL_QUERY_OF_READER(Outcome.ERROR),
    KILL_CONNECTION_OF_READER(Outcome.ERROR),
    KILL_QUERY_OF_DONOR(Outcome.ANSWER),
    KILL_CONNECTION_OF_DONOR(Outcome.EITHER),
    KILL_QUERY_OF_PLANNING(Outcome.ERROR),
    KILL_CONNECTION_OF_PLANNING(Outcome.ERROR),
    MAX_CONNECTIONS(Outcome.ERROR),
    LOCK_WAIT_TIMEOUT(Outcome.ERROR),
    TMPDIR_FULL(Outcome.ERROR),
    BLACK_HOLE(Outcome.ERROR),
    SILENT_LOGIN(Outcome.ERROR),
    STALL(Outcome.ANSWER),
    BROKEN_TLS(Outcome.ERROR),
    AUTHENTICATION_PLUGIN_CHANGED(Outcome.ANSWER),
    PASSWORD_ROTATED(Outcome.ANSWER),
    ABORTED_CONNECTIONS(Outcome.ANSWER),
    CLOCK_JUMP(Outcome.ANSWER),
    /**/;

    private final Outcome outcome;

    Fault(Outcome outcome)
    {
        this.outcome = outcome;
    }

    Outcome outcome()
    {
        return outcome;
    }
}
