package io.mysqlpq.trino.throttle;

/** Says what a query does if its replica lags too far. */
public enum LagHandling
{
    /** Fails at once. */
    REFUSE,
    /** Waits until it lags less. */
    WAIT
}
