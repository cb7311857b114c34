package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;

/** Runs a part of Trino's suite with each table read as one split. */
class TestSuiteWithOneSplit
        extends BaseSuiteSubset
{
    TestSuiteWithOneSplit()
    {
        super(false);
    }

    @Override
    StandardSuite createSuite()
    {
        return new StandardSuite(true, 0, ImmutableMap.of("parallel-reads-enabled", "false"));
    }
}
