package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs a part of Trino's suite on a server without the extension, with tables read by ranges from SQL. */
class TestSuiteWithoutExtension
        extends BaseSuiteSubset
{
    TestSuiteWithoutExtension()
    {
        super(false);
    }

    @Override
    StandardSuite createSuite()
    {
        // TestWithoutExtension reads ranges on two nodes without the extension.
        return new StandardSuite(false, 0, ImmutableMap.of("snapshot-mode", "NONE", "target-rows-per-split", "500"));
    }

    @Test
    void testTablesAreReadByRangesFromSql()
    {
        for (String table : List.of("orders", "customer")) {
            assertThat(suite().explain("EXPLAIN SELECT * FROM " + table)).contains("read=[ranges of index PRIMARY from SQL");
            assertThat(suite().explain("EXPLAIN ANALYZE VERBOSE SELECT * FROM " + table)).containsPattern("splitsRead.*\\{total=[1-9]\\d\\}|splitsRead.*\\{total=[2-9]\\}");
        }
    }
}
