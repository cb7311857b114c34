package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Finds out whether MySQL's hypergraph optimizer may read a plan's ranges.
 *
 * <p>It chooses by cost alone, and FORCE INDEX leaves it a scan of the whole index, with which N ranges would read the table N times.
 * Where statistics are wrong, that is what it chooses.
 */
final class HypergraphOptimizer
{
    private static final Logger log = Logger.get(HypergraphOptimizer.class);
    private static final int FIRST_VERSION = 907;
    private static final String RANGE_SCAN = "index range scan on ";

    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;

    @Inject
    HypergraphOptimizer(JdbcClient client, RemoteQueryModifier queryModifier)
    {
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Whether it reads no more than each of these ranges. If MySQL does not say, no query fails. */
    boolean reads(ConnectorSession session, Connection connection, RemoteTableName table, RangePlan.Ranges ranges)
    {
        try {
            return RangeHint.helps(ranges.key()) && isKnownTo(connection) && isRangeScan(session, connection, probe(table, ranges));
        }
        catch (SQLException e) {
            log.debug(e, "No EXPLAIN of a range of table %s", table);
            return false;
        }
    }

    // Older servers refuse it with a warning for each statement.
    private static boolean isKnownTo(Connection connection)
            throws SQLException
    {
        DatabaseMetaData server = connection.getMetaData();
        return server.getDatabaseMajorVersion() * 100 + server.getDatabaseMinorVersion() >= FIRST_VERSION;
    }

    // Of the largest range: the larger a range, the more a scan of the whole index seems worth it. Those that are open on both sides,
    // as partitions have them, are read whole anyway.
    private Optional<String> probe(RemoteTableName table, RangePlan.Ranges ranges)
    {
        RangePredicate predicate = new RangePredicate(ranges.key(), client::quoted);
        return ranges.ranges().stream()
                .filter(range -> predicate.toSql(range.range()).isPresent())
                .max(Comparator.comparingLong(range -> range.estimatedRows().orElse(0)))
                .map(range -> "SELECT 1 FROM %s%s FORCE INDEX (%s) WHERE %s".formatted(
                        client.quoted(table),
                        partitions(range),
                        client.quoted(ranges.key().index()),
                        predicate.toSql(range.range()).orElseThrow()));
    }

    private String partitions(PlannedRange range)
    {
        return range.partitions().isEmpty() ? "" : range.partitions().stream().map(client::quoted).collect(joining(", ", " PARTITION (", ")"));
    }

    private boolean isRangeScan(ConnectorSession session, Connection connection, Optional<String> probe)
            throws SQLException
    {
        if (probe.isEmpty()) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery(queryModifier.apply(session, "EXPLAIN FORMAT = TREE " + RangeHint.hinted(probe.get())))) {
            return plan.next() && plan.getString(1).toLowerCase(Locale.ROOT).contains(RANGE_SCAN);
        }
    }
}
