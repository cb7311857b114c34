package io.mysqlpq.trino.driver;

import com.google.common.collect.ImmutableSortedSet;
import com.mysql.cj.conf.ConnectionUrlParser;
import com.mysql.cj.conf.PropertyKey;
import com.mysql.cj.exceptions.CJException;

import java.util.Set;

import static java.lang.String.CASE_INSENSITIVE_ORDER;

/** Tells which of the driver's settings a connection URL makes itself, for all hosts or for its only host. */
public final class UrlProperties
{
    private final Set<String> names;

    private UrlProperties(Set<String> names)
    {
        this.names = names;
    }

    public static UrlProperties of(String url)
    {
        // The driver reads names in the same way.
        ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.orderedBy(CASE_INSENSITIVE_ORDER);
        try {
            ConnectionUrlParser parser = ConnectionUrlParser.parseConnectionString(url);
            names.addAll(parser.getProperties().keySet());
            parser.getHosts().forEach(host -> names.addAll(host.getHostProperties().keySet()));
        }
        catch (CJException _) {
            // The driver says it better when it connects.
        }
        return new UrlProperties(names.build());
    }

    public boolean sets(PropertyKey property)
    {
        return names.contains(property.getKeyName());
    }
}
