package io.mysqlpq.trino.tables;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import io.airlift.log.Logger;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaTableName;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lists each of Trino's names once. MySQL may have several tables whose names differ only in case. The list then has the table that a query
 * finds by the name, and none if the name is ambiguous to a query.
 */
public final class ListedNames
{
    private static final Logger log = Logger.get(ListedNames.class);
    private static final int MOST_WARNINGS = 1000;

    private final Cache<SchemaTableName, Boolean> warned = CacheBuilder.newBuilder().maximumSize(MOST_WARNINGS).build();

    /**
     * @param listed what a list has of all tables
     * @param named the same of the table that a query finds by a name
     */
    public <T> List<T> once(Iterator<T> listed, Function<T, SchemaTableName> name, Function<SchemaTableName, Optional<T>> named)
    {
        ListMultimap<SchemaTableName, T> byName = LinkedListMultimap.create();
        listed.forEachRemaining(table -> byName.put(name.apply(table), table));
        ImmutableList.Builder<T> tables = ImmutableList.builder();
        byName.asMap().forEach((key, same) -> tables.addAll(same.size() == 1 ? same : found(key, named)));
        return tables.build();
    }

    private <T> Collection<T> found(SchemaTableName name, Function<SchemaTableName, Optional<T>> named)
    {
        try {
            Optional<T> table = named.apply(name);
            if (table.isEmpty()) {
                warn(name, "none of them is written in lower case. Set case-insensitive-name-matching, with a mapping file for these names");
            }
            return table.stream().toList();
        }
        catch (TrinoException e) {
            warn(name, e.getMessage());
            return ImmutableList.of();
        }
    }

    private void warn(SchemaTableName name, String reason)
    {
        if (warned.asMap().putIfAbsent(name, true) == null) {
            log.warn("MySQL has several tables whose name in lower case is %s. They are not listed: %s", name, reason);
        }
    }
}
