package io.mysqlpq.trino.statistics;

import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Reads the estimates that MySQL keeps for its own optimizer: row counts, indexes' cardinalities and histograms; and a sample for what these leave open. */
public final class TableStatisticsReader
{
    private final ConnectionFactory connectionFactory;
    private final TableSampler sampler;

    public TableStatisticsReader(ConnectionFactory connectionFactory, TableSampler sampler)
    {
        this.connectionFactory = requireNonNull(connectionFactory, "connectionFactory is null");
        this.sampler = requireNonNull(sampler, "sampler is null");
    }

    /** Empty for what is no table, such as a view. */
    public TableStatistics read(ConnectorSession session, JdbcTableHandle handle, List<JdbcColumnHandle> columns)
    {
        RemoteTableName table = handle.getRequiredNamedRelation().getRemoteTableName();
        Optional<ColumnEstimates> kept = readKept(session, table);
        if (kept.isEmpty()) {
            return TableStatistics.empty();
        }
        List<JdbcColumnHandle> unknown = columns.stream().filter(column -> !kept.get().isKnown(column)).collect(toImmutableList());
        return statistics(kept.get().with(sampler.sample(session, table, unknown)), columns);
    }

    private Optional<ColumnEstimates> readKept(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session)) {
            askForLiveStatistics(connection);
            StatisticsTables tables = new StatisticsTables(connection, table);
            OptionalLong rowCount = tables.rowCount();
            return rowCount.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ColumnEstimates(tables.indexes(), tables.histograms(), ImmutableMap.of(), rowCount.getAsLong()));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read statistics of table " + table, e);
        }
    }

    // MySQL's dictionary repeats for a day, by default, what it once heard from InnoDB. The connection serves one query only.
    private static void askForLiveStatistics(Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION information_schema_stats_expiry = 0");
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
