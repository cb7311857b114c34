package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;

/** Runs a part of Trino's suite on a server without the extension, with tables read by ranges from SQL. */
class TestSuiteWithoutExtension
        extends BaseSuiteSubset
{
    @Override
    StandardSuite createSuite()
    {
        return new StandardSuite(false, ImmutableMap.of("snapshot-mode", "NONE", "target-rows-per-split", "500"));
    }
}
