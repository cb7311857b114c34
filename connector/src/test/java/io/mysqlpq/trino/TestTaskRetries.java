package io.mysqlpq.trino;

import io.trino.operator.RetryPolicy;

/** Tries failed tasks again. */
class TestTaskRetries
        extends BaseMysqlPqFailureRecoveryTest
{
    TestTaskRetries()
    {
        super(RetryPolicy.TASK);
    }
}
