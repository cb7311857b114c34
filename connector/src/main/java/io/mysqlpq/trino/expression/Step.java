package io.mysqlpq.trino.expression;

/** Computes a vector from others that were computed before. */
interface Step
{
    void run(int rows);
}
