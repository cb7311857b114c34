package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.MULTILINE;
import static java.util.stream.Collectors.joining;

/**
 * Finds out whether MySQL's hypergraph optimizer may read a plan's ranges.
 *
 * <p>It chooses by cost alone, and FORCE INDEX still allows it a scan of the whole index. N ranges would then read the table N times. It
 * chooses such a scan where statistics are wrong.
 *
 * <p>It does not read the rows of every condition right either. In {@code a < 2 OR b = 3} within an OR, with columns of one key, MySQL
 * 9.7.4 loses track and drops conditions that it has not read by. Scans with such conditions on columns of the key are therefore left to
 * the older optimizer.
 */
final class HypergraphOptimizer
{
    private static final Logger log = Logger.get(HypergraphOptimizer.class);
    private static final int FIRST_VERSION = 907;
    private static final Pattern RANGE_SCAN = Pattern.compile("^ *-> (Covering )?index range scan on ", CASE_INSENSITIVE | MULTILINE);

    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;

    @Inject
    HypergraphOptimizer(JdbcClient client, RemoteQueryModifier queryModifier)
    {
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Whether the optimizer reads each of these ranges right, and reads no more. A query does not fail if MySQL does not say. */
    boolean reads(ConnectorSession session, Connection connection, JdbcTableHandle table, RangePlan.Ranges ranges)
    {
        if (!RangeHint.helps(ranges.key(), ranges.ranges().stream().map(PlannedRange::range).toList()) || namesKeyColumns(table, ranges.key())) {
            return false;
        }
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        try {
            return isKnownTo(connection) && readsByRange(session, connection, probes(name, ranges));
        }
        catch (SQLException e) {
            log.debug(e, "No EXPLAIN of ranges of table %s", name);
            return false;
        }
    }

    // Whether conditions name columns of the key, beyond those that Trino hands over as domains of one column each. Names of MySQL's columns differ in more than case.
    private static boolean namesKeyColumns(JdbcTableHandle table, IndexKey key)
    {
        return FilteredRelation.columns(table)
                .map(columns -> columns.stream().anyMatch(named -> key.columns().stream().anyMatch(column -> column.name().equalsIgnoreCase(named.getColumnName()))))
                .orElse(true);
    }

    // Older servers refuse it with a warning for each statement.
    private static boolean isKnownTo(Connection connection)
            throws SQLException
    {
        DatabaseMetaData server = connection.getMetaData();
        return server.getDatabaseMajorVersion() * 100 + server.getDatabaseMinorVersion() >= FIRST_VERSION;
    }

    // Asks about the largest range and the smallest: MySQL counts few pages exactly, and takes many for at most half of what its statistics say. Ranges that
    // are open on both sides, as partitions have them, are read whole anyway.
    private List<String> probes(RemoteTableName table, RangePlan.Ranges ranges)
    {
        RangePredicate predicate = new RangePredicate(ranges.key(), client::quoted);
        List<PlannedRange> bySize = ranges.ranges().stream()
                .filter(range -> predicate.toSql(range.range()).isPresent())
                .sorted(Comparator.comparingLong(range -> range.estimatedRows().orElse(0)))
                .toList();
        return (bySize.size() < 2 ? bySize : List.of(bySize.getFirst(), bySize.getLast())).stream()
                .map(range -> "SELECT 1 FROM %s%s FORCE INDEX (%s) WHERE %s".formatted(
                        client.quoted(table),
                        partitions(range),
                        client.quoted(ranges.key().index()),
                        predicate.toSql(range.range()).orElseThrow()))
                .toList();
    }

    private String partitions(PlannedRange range)
    {
        return range.partitions().isEmpty() ? "" : range.partitions().stream().map(client::quoted).collect(joining(", ", " PARTITION (", ")"));
    }

    // One statement, whose hint is for all of it.
    private boolean readsByRange(ConnectorSession session, Connection connection, List<String> probes)
            throws SQLException
    {
        if (probes.isEmpty()) {
            return false;
        }
        String sql = "EXPLAIN FORMAT = TREE " + RangeHint.hinted(String.join(" UNION ALL ", probes));
        try (Statement statement = connection.createStatement(); ResultSet plan = statement.executeQuery(queryModifier.apply(session, sql))) {
            return plan.next() && RANGE_SCAN.matcher(plan.getString(1)).results().count() == probes.size();
        }
    }
}
