package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.random.Seed;

import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs a part of Trino's suite with settings that are drawn anew in each run. */
class TestSuiteWithRandomSettings
        extends BaseSuiteSubset
{
    TestSuiteWithRandomSettings()
    {
        super(true);
    }

    @Override
    StandardSuite createSuite()
    {
        Random random = Seed.random();
        boolean extension = random.nextBoolean();
        Map<String, String> properties = draw(random, extension);
        System.out.printf("Trino's suite %s the extension and with %s%n", extension ? "with" : "without", properties);
        return new StandardSuite(extension, 1, properties);
    }

    private static Map<String, String> draw(Random random, boolean extension)
    {
        ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
        properties.put("range-source", one(random, extension ? List.of("AUTO", "EXTENSION", "SQL", "NONE") : List.of("AUTO", "SQL", "NONE")));
        properties.put("snapshot-mode", one(random, extension ? List.of("AUTO", "EXACT", "PER_SCAN", "NONE") : List.of("AUTO", "PER_SCAN", "NONE")));
        properties.put("target-rows-per-split", Integer.toString(1 << random.nextInt(13)));
        properties.put("max-ranges-per-scan", Integer.toString(1 + random.nextInt(32)));
        properties.put("max-connections-per-node", Integer.toString(1 + random.nextInt(8)));
        properties.put("max-connections-per-server", Integer.toString(4 + random.nextInt(8)));
        for (String flag : ImmutableList.of("insert.non-transactional-insert.enabled", "statistics.enabled", "native-scan-enabled", "jdbc.bulk-list-columns.enabled", "mysql.jdbc.use-information-schema")) {
            properties.put(flag, Boolean.toString(random.nextBoolean()));
        }
        return properties.buildOrThrow();
    }

    private static String one(Random random, List<String> values)
    {
        return values.get(random.nextInt(values.size()));
    }
}
