package io.mysqlpq.trino.server;

import io.airlift.units.Duration;

import static java.util.Objects.requireNonNull;

/** Says how long a handshake with the extension holds. */
public record ExtensionSettings(Duration probeTimeToLive)
{
    public ExtensionSettings
    {
        requireNonNull(probeTimeToLive, "probeTimeToLive is null");
    }
}
