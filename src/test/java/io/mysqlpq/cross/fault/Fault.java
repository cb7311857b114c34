package io.mysqlpq.cross.fault;

import io.trino.spi.ErrorCodeSupplier;

import java.util.Set;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_PLANNING_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;

/**
 * Lists what may fail between Trino and MySQL, and what a query makes of it.
 *
 * <p>docs/reliability.md has a row for each, which names the tests that provoke it; the build fails if one of these did not run.
 */
enum Fault
{
    RESET_IN_MID_ROW(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    SERVER_KILLED(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    FAILOVER(Outcome.ERROR, MYSQL_PQ_READ_FAILED, MYSQL_PQ_SNAPSHOT_LOST),
    TWO_SERVERS(Outcome.EITHER, MYSQL_PQ_SNAPSHOT_LOST, MYSQL_PQ_TABLE_CHANGED),
    KILL_QUERY_OF_READER(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    KILL_CONNECTION_OF_READER(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    KILL_QUERY_OF_DONOR(Outcome.ANSWER),
    KILL_CONNECTION_OF_DONOR(Outcome.EITHER, MYSQL_PQ_SNAPSHOT_LOST),
    KILL_QUERY_OF_PLANNING(Outcome.ERROR, MYSQL_PQ_PLANNING_FAILED),
    KILL_CONNECTION_OF_PLANNING(Outcome.ERROR, MYSQL_PQ_PLANNING_FAILED),
    KILL_OF_SAMPLING(Outcome.ANSWER),
    KILL_OF_PASSED_QUERY(Outcome.ERROR, JDBC_ERROR),
    MAX_CONNECTIONS(Outcome.ERROR, MYSQL_PQ_CONNECTION_WAIT_TIMEOUT, JDBC_ERROR),
    LOCK_WAIT_TIMEOUT(Outcome.ERROR, MYSQL_PQ_TABLE_LOCKED, MYSQL_PQ_EXTENSION_UNAVAILABLE),
    TMPDIR_FULL(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    BLACK_HOLE(Outcome.ERROR, MYSQL_PQ_READ_FAILED, MYSQL_PQ_CONNECTION_WAIT_TIMEOUT),
    SILENT_LOGIN(Outcome.ERROR, MYSQL_PQ_CONNECTION_WAIT_TIMEOUT, JDBC_ERROR),
    STALL(Outcome.ANSWER),
    STALL_PAST_WRITE_TIMEOUT(Outcome.ERROR, MYSQL_PQ_READ_FAILED, MYSQL_PQ_SNAPSHOT_UNAVAILABLE),
    BROKEN_TLS(Outcome.ERROR, MYSQL_PQ_READ_FAILED),
    AUTHENTICATION_PLUGIN_CHANGED(Outcome.ANSWER),
    PASSWORD_ROTATED(Outcome.ANSWER),
    ABORTED_CONNECTIONS(Outcome.ANSWER),
    CLOCK_JUMP(Outcome.ANSWER),
    WORKER_KILLED(Outcome.ERROR_OF_TRINO),
    COORDINATOR_KILLED(Outcome.LOST),
    /**/;

    private final Outcome outcome;
    private final Set<ErrorCodeSupplier> errorCodes;

    Fault(Outcome outcome, ErrorCodeSupplier... errorCodes)
    {
        this.outcome = outcome;
        this.errorCodes = Set.of(errorCodes);
    }

    /** Counts a try that ended as it may. {@code ./pq faults} and {@code ./pq test} look for these lines. */
    void tried(boolean answered)
    {
        System.out.println("Fault: %s %s".formatted(this, answered ? "answered" : "failed"));
    }

    Outcome outcome()
    {
        return outcome;
    }

    /** Those by which a query may fail; none where Trino itself fails it, or the fault must not end it. */
    Set<ErrorCodeSupplier> errorCodes()
    {
        return errorCodes;
    }
}
