package io.mysqlpq.trino;

import io.trino.operator.RetryPolicy;

/** Tries failed queries again. It takes minutes and runs only when it is asked for: {@code -Dtest=QueryRetries}. */
class QueryRetries
        extends BaseMysqlPqFailureRecoveryTest
{
    QueryRetries()
    {
        super(RetryPolicy.QUERY);
    }
}
