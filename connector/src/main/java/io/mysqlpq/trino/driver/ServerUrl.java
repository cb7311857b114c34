package io.mysqlpq.trino.driver;

import com.mysql.cj.conf.ConnectionUrlParser;
import com.mysql.cj.conf.HostInfo;
import com.mysql.cj.exceptions.CJException;
import io.mysqlpq.trino.connection.ServerAddress;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNullElse;

/** Finds the server in a connection URL, and puts another one in its place. */
public final class ServerUrl
{
    private ServerUrl()
    {}

    /** Returns the server that a URL names. Empty if the URL names none, or several: the driver says it better when it connects. */
    static Optional<ServerAddress> server(String url)
    {
        try {
            List<HostInfo> hosts = parse(url).getHosts();
            return hosts.size() == 1 ? Optional.of(server(hosts.getFirst())) : Optional.empty();
        }
        catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static ServerAddress server(HostInfo host)
    {
        // The driver keeps the brackets of an IPv6 address.
        String name = requireNonNullElse(host.getHost(), "localhost").replaceAll("[\\[\\]]", "");
        return new ServerAddress(name, host.getPort() <= 0 ? ServerAddress.DEFAULT_PORT : host.getPort());
    }

    /**
     * Returns the same URL for another server.
     *
     * @throws IllegalArgumentException if the URL is not of the form {@code jdbc:mysql://host:port?parameters}
     */
    public static String of(String url, ServerAddress server)
    {
        String authority = parse(url).getAuthority();
        if (authority == null || authority.contains("(") || authority.contains("@") || authority.contains(",")) {
            throw new IllegalArgumentException("not of the form jdbc:mysql://host:port?parameters");
        }
        int start = url.indexOf("//") + 2;
        return url.substring(0, start) + server + url.substring(start + authority.length());
    }

    private static ConnectionUrlParser parse(String url)
    {
        try {
            return ConnectionUrlParser.parseConnectionString(url);
        }
        catch (CJException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
