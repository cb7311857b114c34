package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestSqlRangesConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(SqlRangesConfig.class)
                .setSqlPlanningMaxStatements(64)
                .setSqlPlanningTimeLimit(new Duration(5, SECONDS))
                .setSqlRangesTtl(new Duration(10, MINUTES)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("sql-planning-max-statements", "20")
                .put("sql-planning-time-limit", "500ms")
                .put("sql-ranges-ttl", "1h")
                .buildOrThrow();
        assertFullMapping(properties, new SqlRangesConfig()
                .setSqlPlanningMaxStatements(20)
                .setSqlPlanningTimeLimit(new Duration(500, MILLISECONDS))
                .setSqlRangesTtl(new Duration(1, HOURS)));
    }
}
