package io.mysqlpq.trino;

import io.trino.operator.RetryPolicy;

/** Tries failed queries again. */
class TestQueryRetries
        extends BaseMysqlPqFailureRecoveryTest
{
    TestQueryRetries()
    {
        super(RetryPolicy.QUERY);
    }
}
