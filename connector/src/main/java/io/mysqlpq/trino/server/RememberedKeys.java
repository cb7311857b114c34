package io.mysqlpq.trino.server;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Remembers for a limited time which unique keys tables had, across queries and users.
 *
 * <p>Nothing checks whether the tables still have them. They therefore serve only choices that cannot change a query's answer, whatever has
 * become of the table: that a scan is one statement, and how many rows it will likely find.
 */
public final class RememberedKeys
{
    private final Duration timeToLive;
    private final int mostTables;
    private final Ticker ticker;
    @GuardedBy("this")
    private final Map<RemoteTableName, Remembered> tables = new LinkedHashMap<>();

    @Inject
    public RememberedKeys(ServerConfig config, Ticker ticker)
    {
        this.timeToLive = config.getRememberedKeysTtl();
        this.mostTables = config.getMaxRememberedTables();
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    public synchronized void put(RemoteTableName table, TableKey key)
    {
        tables.remove(table);
        List<TableIndex> unique = key.indexes().stream().filter(TableIndex::unique).collect(toImmutableList());
        if (!key.hasSnapshots() || unique.isEmpty()) {
            return;
        }
        tables.put(table, new Remembered(unique, ticker.read()));
        if (tables.size() > mostTables) {
            tables.remove(tables.keySet().iterator().next());
        }
    }

    /** Unique indexes of a table of InnoDB; none if they are not known. */
    public synchronized List<TableIndex> unique(RemoteTableName table)
    {
        Remembered remembered = tables.get(table);
        boolean isFresh = remembered != null && NANOSECONDS.toMillis(ticker.read() - remembered.readAtNanos()) < timeToLive.toMillis();
        return isFresh ? remembered.unique() : ImmutableList.of();
    }

    public synchronized void forget()
    {
        tables.clear();
    }

    private record Remembered(List<TableIndex> unique, long readAtNanos)
    {}
}
