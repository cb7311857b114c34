package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

/** Trino's suite for JDBC connectors with settings of its own, for those who run a part of it. */
final class StandardSuite
        extends TestMysqlPqConnectorTest
{
    private final boolean extension;
    private final int workers;
    private final Map<String, String> readProperties;

    StandardSuite(boolean extension, int workers, Map<String, String> readProperties)
    {
        this.extension = extension;
        this.workers = workers;
        this.readProperties = ImmutableMap.copyOf(readProperties);
    }

    String explain(String sql)
    {
        return (String) computeScalar(sql);
    }

    @Override
    boolean hasExtension()
    {
        return extension;
    }

    @Override
    Map<String, String> readProperties()
    {
        return readProperties;
    }

    @Override
    int workers()
    {
        return workers;
    }
}
