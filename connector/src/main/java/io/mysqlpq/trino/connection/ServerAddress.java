package io.mysqlpq.trino.connection;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/** Says where a MySQL server listens. */
public record ServerAddress(String host, int port)
{
    /** MySQL's own. */
    public static final int DEFAULT_PORT = 3306;

    public ServerAddress
    {
        requireNonNull(host, "host is null");
        checkArgument(!host.isEmpty(), "host is empty");
        checkArgument(port > 0, "port is not positive: %s", port);
    }

    /**
     * @param text {@code host} or {@code host:port}; an IPv6 address stands in brackets if a port follows
     * @throws IllegalArgumentException if the text is neither
     */
    @JsonCreator
    public static ServerAddress parse(String text)
    {
        HostAndPort parsed = HostAndPort.fromString(text.strip()).withDefaultPort(DEFAULT_PORT);
        checkArgument(!parsed.getHost().contains(":") || InetAddresses.isInetAddress(parsed.getHost()), "several colons: %s", text);
        return new ServerAddress(parsed.getHost(), parsed.getPort());
    }

    @JsonValue
    @Override
    public String toString()
    {
        return HostAndPort.fromParts(host, port).toString();
    }
}
