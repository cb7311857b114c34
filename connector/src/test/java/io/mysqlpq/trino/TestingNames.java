package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Answers for names that no DNS has, so that one name has several servers. */
public final class TestingNames
        extends InetAddressResolverProvider
{
    private static final Map<String, List<InetAddress>> NAMES = new ConcurrentHashMap<>();

    /** @param addresses none if the name is not to be known */
    static void set(String name, String... addresses)
            throws UnknownHostException
    {
        ImmutableList.Builder<InetAddress> known = ImmutableList.builder();
        for (String address : addresses) {
            known.add(InetAddress.getByName(address));
        }
        NAMES.put(name, known.build());
    }

    @Override
    public InetAddressResolver get(Configuration configuration)
    {
        return new Resolver(configuration.builtinResolver());
    }

    @Override
    public String name()
    {
        return "names of tests";
    }

    private record Resolver(InetAddressResolver others)
            implements InetAddressResolver
    {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
                throws UnknownHostException
        {
            List<InetAddress> known = NAMES.get(host);
            if (known == null) {
                return others.lookupByName(host, policy);
            }
            if (known.isEmpty()) {
                throw new UnknownHostException(host);
            }
            return known.stream();
        }

        @Override
        public String lookupByAddress(byte[] address)
                throws UnknownHostException
        {
            return others.lookupByAddress(address);
        }
    }
}
