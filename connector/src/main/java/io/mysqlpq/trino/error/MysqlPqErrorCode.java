package io.mysqlpq.trino.error;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;
import static io.trino.spi.ErrorType.INSUFFICIENT_RESOURCES;
import static io.trino.spi.ErrorType.USER_ERROR;

/** Numbers the connector's own failures; a number is never used again for another meaning. */
public enum MysqlPqErrorCode
        implements ErrorCodeSupplier
{
    /** The extension answered something that is not the boundary protocol. */
    MYSQL_PQ_MALFORMED_REPLY(0, EXTERNAL),
    /** {@code range_source} is EXTENSION and the extension cannot give ranges. */
    MYSQL_PQ_EXTENSION_UNAVAILABLE(1, USER_ERROR),
    /** The table's definition changed between planning and reading. */
    MYSQL_PQ_TABLE_CHANGED(2, EXTERNAL),
    /** No connection became free within {@code connection-wait-timeout}. */
    MYSQL_PQ_CONNECTION_WAIT_TIMEOUT(3, INSUFFICIENT_RESOURCES),
    /** MySQL failed while rows were read. */
    MYSQL_PQ_READ_FAILED(4, EXTERNAL),
    /** MySQL failed while ranges were planned. */
    MYSQL_PQ_PLANNING_FAILED(5, EXTERNAL),
    /** {@code snapshot_mode} is EXACT and the query's snapshot cannot be had, or does not cover a table. */
    MYSQL_PQ_SNAPSHOT_UNAVAILABLE(6, USER_ERROR),
    /** The query's snapshot ended on the server while the query needed it. */
    MYSQL_PQ_SNAPSHOT_LOST(7, EXTERNAL),
    /** Another statement keeps a table locked for longer than {@code table-lock-timeout}. */
    MYSQL_PQ_TABLE_LOCKED(8, EXTERNAL),
    /** A cell holds a date that no calendar has, and {@code invalid_date_handling} is ERROR. */
    MYSQL_PQ_INVALID_DATE(9, USER_ERROR),
    /** MySQL has no room for the temporary table of a statement. */
    MYSQL_PQ_TEMPORARY_TABLE_FULL(10, EXTERNAL),
    /** The extension began to read a range of row ids, which SQL cannot read, and met something that it cannot read. */
    MYSQL_PQ_NATIVE_SCAN_FAILED(11, EXTERNAL),
    /** MySQL stayed beyond a throttle's limit for {@code throttle-wait-timeout}. */
    MYSQL_PQ_SERVER_BUSY(12, INSUFFICIENT_RESOURCES),
    /** The replica lags more than {@code max_replica_lag}, or does not replicate. */
    MYSQL_PQ_REPLICA_LAG(13, EXTERNAL),
    /** The server is a member of a replication group and recovers, or has failed. */
    MYSQL_PQ_MEMBER_NOT_READY(14, EXTERNAL),
    /** The account may not see what a limit asks for. */
    MYSQL_PQ_SERVER_STATE_DENIED(15, USER_ERROR),
    /** DDL waited for the query's tables for as long as {@code mysql_pq_ddl_wait_limit} allows, and the query gave them up. */
    MYSQL_PQ_GAVE_WAY(16, EXTERNAL),
    /** {@code max-connections-per-server} has no connection for each worker. */
    MYSQL_PQ_TOO_FEW_CONNECTIONS(17, USER_ERROR),
    /** Other queries held all connections that this catalog may have for {@code connection-queue-timeout}. */
    MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT(18, INSUFFICIENT_RESOURCES),
    /** No replica of the catalog can be read, or none is as new as the query wants. */
    MYSQL_PQ_NO_REPLICA(19, EXTERNAL),
    /**/;

    private static final int FIRST_CODE = 0x0D50_0000;

    private final ErrorCode errorCode;

    MysqlPqErrorCode(int number, ErrorType type)
    {
        errorCode = new ErrorCode(FIRST_CODE + number, name(), type);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
