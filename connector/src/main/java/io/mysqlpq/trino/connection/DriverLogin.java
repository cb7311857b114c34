package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Says where the driver connects for planning and range reads, and with which properties.
 *
 * @param server of the URL; empty if the URL does not tell it
 */
public record DriverLogin(Optional<ServerAddress> server, String url, Map<String, String> properties)
{
    public DriverLogin
    {
        requireNonNull(server, "server is null");
        requireNonNull(url, "url is null");
        properties = ImmutableMap.copyOf(properties);
    }
}
