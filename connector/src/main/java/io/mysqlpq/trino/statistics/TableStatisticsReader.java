package io.mysqlpq.trino.statistics;

import com.google.common.cache.Cache;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.UncheckedExecutionException;
import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.error.ErrorHints;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.cache.CacheUtils.uncheckedCacheGet;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Reads the estimates that MySQL keeps for its own optimizer: row counts, indexes' cardinalities and histograms. Samples columns about which these say nothing. */
public final class TableStatisticsReader
{
    private static final int MAX_REMEMBERED = 1000;
    // A query is planned within it.
    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(1);

    private final ConnectionPools connections;
    private final TableSampler sampler;
    // The optimizer asks several times for each table of a query.
    private final Cache<Asked, TableStatistics> asked = EvictableCacheBuilder.newBuilder().maximumSize(MAX_REMEMBERED).expireAfterWrite(REMEMBERED_FOR).build();

    private record Asked(String query, RemoteTableName table)
    {}

    @Inject
    public TableStatisticsReader(ConnectionPools connections, TableSampler sampler)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.sampler = requireNonNull(sampler, "sampler is null");
    }

    /**
     * Reads them once for each query.
     *
     * @param columns of the table
     * @return none for what is no table, such as a view
     */
    public TableStatistics read(ConnectorSession session, JdbcTableHandle handle, Supplier<List<JdbcColumnHandle>> columns)
    {
        RemoteTableName table = handle.getRequiredNamedRelation().getRemoteTableName();
        try {
            return uncheckedCacheGet(asked, new Asked(session.getQueryId(), table), () -> read(session, table, columns.get()));
        }
        catch (UncheckedExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw e;
        }
    }

    private TableStatistics read(ConnectorSession session, RemoteTableName table, List<JdbcColumnHandle> columns)
    {
        Optional<ColumnEstimates> kept = readKept(session, table);
        if (kept.isEmpty()) {
            return TableStatistics.empty();
        }
        List<JdbcColumnHandle> unknown = columns.stream().filter(column -> !kept.get().isKnown(column)).collect(toImmutableList());
        return statistics(kept.get().with(sampler.sample(session, table, unknown)), columns);
    }

    private Optional<ColumnEstimates> readKept(ConnectorSession session, RemoteTableName table)
    {
        // The setup of this session makes MySQL say what InnoDB knows now. Otherwise the dictionary could repeat what it has said for a day.
        try (PooledConnection connection = connections.openForPlanning(session)) {
            StatisticsTables tables = new StatisticsTables(connection.connection(), table);
            OptionalLong rowCount = tables.rowCount();
            return rowCount.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ColumnEstimates(tables.indexes(), tables.histograms(), ImmutableMap.of(), rowCount.getAsLong()));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read statistics of table %s: %s".formatted(table, ErrorHints.explain(e, "planning-timeout")), e);
        }
    }

    private static TableStatistics statistics(ColumnEstimates estimates, List<JdbcColumnHandle> columns)
    {
        TableStatistics.Builder statistics = TableStatistics.builder();
        statistics.setRowCount(Estimate.of(estimates.rowCount()));
        columns.forEach(column -> estimates.of(column).ifPresent(estimate -> statistics.setColumnStatistics(column, estimate)));
        return statistics.build();
    }
}
