package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/** Says where the driver connects for planning and range reads, and with which properties. */
public record DriverLogin(String url, Map<String, String> properties)
{
    public DriverLogin
    {
        requireNonNull(url, "url is null");
        properties = ImmutableMap.copyOf(properties);
    }
}
