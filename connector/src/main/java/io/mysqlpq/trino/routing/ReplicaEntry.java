package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.connection.ServerAddress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Is one entry of {@code replica-hosts}: one server, or a DNS name of several.
 *
 * @param named whether each address of the host's name is a server of its own
 */
record ReplicaEntry(Replica replica, boolean named)
{
    private static final String NAMED = "dns:";
    private static final char WEIGHT = '=';

    ReplicaEntry
    {
        requireNonNull(replica, "replica is null");
    }

    /**
     * @param text {@code [dns:]host[:port][=weight]}
     * @throws IllegalArgumentException that says what is wrong
     */
    static ReplicaEntry parse(String text)
    {
        String entry = text.strip();
        boolean named = entry.startsWith(NAMED);
        String server = named ? entry.substring(NAMED.length()) : entry;
        int end = server.indexOf(WEIGHT);
        try {
            return new ReplicaEntry(
                    new Replica(ServerAddress.parse(end < 0 ? server : server.substring(0, end)), end < 0 ? 1 : weight(server.substring(end + 1))),
                    named);
        }
        catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'%s' is no [dns:]host[:port][=weight]: %s".formatted(entry, e.getMessage()), e);
        }
    }

    private static int weight(String text)
    {
        int weight = Integer.parseInt(text.strip());
        if (weight < 1 || weight > Replica.MOST_WEIGHT) {
            throw new IllegalArgumentException("the weight must be between 1 and %s".formatted(Replica.MOST_WEIGHT));
        }
        return weight;
    }

    /** Asks DNS if the entry is a name of several servers. */
    List<Replica> replicas()
            throws UnknownHostException
    {
        if (!named) {
            return List.of(replica);
        }
        return Stream.of(InetAddress.getAllByName(replica.address().host()))
                .map(InetAddress::getHostAddress)
                .sorted(Comparator.naturalOrder())
                .map(host -> new Replica(new ServerAddress(host, replica.address().port()), replica.weight()))
                .collect(toImmutableList());
    }
}
