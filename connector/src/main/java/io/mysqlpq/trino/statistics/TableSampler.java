package io.mysqlpq.trino.statistics;

import com.google.common.cache.Cache;
import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.util.concurrent.UncheckedExecutionException;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.PartitionReader;
import io.mysqlpq.trino.server.QuotedNames;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.trino.cache.EvictableCacheBuilder;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Reads a few rows from each of many ranges of a table, to estimate columns about which neither indexes nor histograms tell.
 *
 * <p>Estimates are worth no failure and no wait. There are none without the extension, without a clustered key of the table's own, or
 * without the rights on the key.
 */
public final class TableSampler
{
    private static final Logger log = Logger.get(TableSampler.class);
    // Each is a branch of one statement, for which MySQL opens the table once more.
    private static final int MAX_RANGES = 32;
    private static final int MAX_PARTITIONS = 16;
    private static final int MAX_TABLES = 1000;
    // Each query would wait for the lock of a locked table again.
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);
    // For ranges that are not in memory.
    private static final String TIME_LIMIT = "/*+ MAX_EXECUTION_TIME(500) */ ";
    // Values of others may be large, or stand on pages of their own.
    private static final Set<Integer> SAMPLED_TYPES = ImmutableSet.of(
            Types.BIT, Types.BOOLEAN, Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.REAL, Types.FLOAT, Types.DOUBLE, Types.DECIMAL, Types.NUMERIC,
            Types.DATE, Types.TIME, Types.TIMESTAMP, Types.CHAR, Types.VARCHAR);

    private final ConnectionPools connections;
    private final TableKeyReader tableKeys;
    private final PartitionReader partitions;
    private final ExtensionRanges extension;
    private final RemoteQueryModifier queryModifier;
    private final int rows;
    private final Cache<SampledTable, Map<String, SampledColumn>> samples;
    private final Cache<SampledTable, Map<String, SampledColumn>> failures;

    @Inject
    public TableSampler(ConnectionPools connections, TableKeyReader tableKeys, PartitionReader partitions, ExtensionRanges extension, RemoteQueryModifier queryModifier, SampleConfig config)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.tableKeys = requireNonNull(tableKeys, "tableKeys is null");
        this.partitions = requireNonNull(partitions, "partitions is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.rows = config.getSampledRows();
        this.samples = EvictableCacheBuilder.newBuilder()
                .maximumSize(MAX_TABLES)
                .expireAfterWrite(config.getSampleTtl().toJavaTime())
                .shareNothingWhenDisabled()
                .build();
        this.failures = EvictableCacheBuilder.newBuilder()
                .maximumSize(MAX_TABLES)
                .expireAfterWrite(Comparators.min(RETRY_INTERVAL, config.getSampleTtl().toJavaTime()))
                .shareNothingWhenDisabled()
                .build();
    }

    /** Reads all samples anew. */
    public void forget()
    {
        samples.invalidateAll();
        failures.invalidateAll();
    }

    /** Returns what the columns hold, by their names. Leaves out columns that cannot be sampled. */
    Map<String, SampledColumn> sample(ConnectorSession session, RemoteTableName table, List<JdbcColumnHandle> columns)
    {
        List<String> names = columns.stream()
                .filter(column -> SAMPLED_TYPES.contains(column.getJdbcTypeHandle().jdbcType()))
                .map(JdbcColumnHandle::getColumnName)
                .collect(toImmutableList());
        SampledTable sampled = new SampledTable(connections.accountName(session), table, names);
        if (rows == 0 || names.isEmpty() || failures.getIfPresent(sampled) != null) {
            return ImmutableMap.of();
        }
        try {
            return samples.get(sampled, () -> read(session, table, names));
        }
        catch (ExecutionException | UncheckedExecutionException e) {
            log.debug(e.getCause(), "No sample of table %s", table);
            // Connections that plan are busy only briefly. The next query may find one.
            return isWithoutConnection(e.getCause()) ? ImmutableMap.of() : none(sampled);
        }
    }

    private static boolean isWithoutConnection(Throwable failure)
    {
        return failure.getCause() instanceof TrinoException e && e.getErrorCode().equals(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT.toErrorCode());
    }

    private Map<String, SampledColumn> none(SampledTable sampled)
    {
        try {
            return failures.get(sampled, ImmutableMap::of);
        }
        catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, SampledColumn> read(ConnectorSession session, RemoteTableName table, List<String> columns)
            throws SQLException, ExtensionUnavailableException
    {
        try (PooledConnection pooled = connections.openBriefly(session)) {
            Connection connection = pooled.connection();
            extension.checkAvailable(connection);
            TableKey key = tableKeys.read(session, connection, table);
            if (key.clustered().isEmpty()) {
                return ImmutableMap.of();
            }
            List<String> parts = key.shape() == TableKey.Shape.PARTITIONED_TABLE
                    ? partitions(session, connection, table, key.clustered().get())
                    : ranges(session, connection, table, key.clustered().get());
            return parts.isEmpty() ? ImmutableMap.of() : read(session, connection, columns, parts);
        }
        catch (TrinoException e) {
            throw new SQLException(e);
        }
    }

    // Returns what follows FROM, for each range.
    private List<String> ranges(ConnectorSession session, Connection connection, RemoteTableName table, TableIndex index)
            throws SQLException, ExtensionUnavailableException
    {
        RangesRequest request = new RangesRequest(table.getCatalogName().orElseThrow(), table.getTableName(), index.name(), min(rows, MAX_RANGES), KeyRange.all());
        RangesReply reply = extension.ask(session, connection, request.withLeafKeys(true));
        RangePredicate predicate = new RangePredicate(reply.key(), QuotedNames::quoted);
        int limit = rowsOfPart(reply.boundaries().size() + 1);
        String from = "%s FORCE INDEX (%s)".formatted(quoted(table), quoted(index.name()));
        return Stream.concat(
                Stream.of(from),
                reply.boundaries().stream().map(bound -> predicate.toSql(new KeyRange(Optional.of(bound), Optional.empty())).map(where -> from + " WHERE " + where).orElse(from)))
                .map(part -> part + " LIMIT " + limit)
                .collect(toImmutableList());
    }

    // Returns what follows FROM, for some partitions.
    private List<String> partitions(ConnectorSession session, Connection connection, RemoteTableName table, TableIndex index)
            throws SQLException
    {
        List<PartitionReader.Partition> all = partitions.read(session, connection, table.getCatalogName().orElseThrow(), table.getTableName());
        int step = ceilDiv(all.size(), min(rows, MAX_PARTITIONS));
        int limit = rowsOfPart(ceilDiv(all.size(), max(step, 1)));
        return IntStream.iterate(0, i -> i < all.size(), i -> i + step)
                .mapToObj(i -> "%s PARTITION (%s) FORCE INDEX (%s) LIMIT %s".formatted(quoted(table), quoted(all.get(i).name()), quoted(index.name()), limit))
                .collect(toImmutableList());
    }

    private int rowsOfPart(int parts)
    {
        return ceilDiv(rows, max(parts, 1));
    }

    private Map<String, SampledColumn> read(ConnectorSession session, Connection connection, List<String> columns, List<String> parts)
            throws SQLException
    {
        // All that matters is which values are equal.
        String values = columns.stream().map(column -> "crc32(%s)".formatted(quoted(column))).collect(joining(", "));
        String sql = IntStream.range(0, parts.size())
                .mapToObj(i -> "(SELECT %s%s FROM %s)".formatted(i == 0 ? TIME_LIMIT : "", values, parts.get(i)))
                .collect(joining(" UNION ALL "));
        List<SampledColumn.Counter> counters = columns.stream().map(_ -> new SampledColumn.Counter()).collect(toImmutableList());
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(queryModifier.apply(session, sql))) {
            while (rows.next()) {
                for (int i = 0; i < counters.size(); i++) {
                    long value = rows.getLong(i + 1);
                    if (rows.wasNull()) {
                        counters.get(i).addNull();
                    }
                    else {
                        counters.get(i).add(value);
                    }
                }
            }
        }
        return IntStream.range(0, columns.size()).boxed().collect(toImmutableMap(columns::get, i -> counters.get(i).counted()));
    }

    private record SampledTable(Optional<String> account, RemoteTableName table, List<String> columns)
    {
        private SampledTable
        {
            columns = ImmutableList.copyOf(columns);
        }
    }
}
