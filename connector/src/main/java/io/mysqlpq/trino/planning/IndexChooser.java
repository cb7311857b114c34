package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.IndexChoice.Whole;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.planning.OneSplitReason.NO_PRIMARY_KEY;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.planning.OneSplitReason.SELECTIVE_INDEX;
import static java.util.Objects.requireNonNull;

/**
 * Chooses the index that a scan is cut by: the one by which MySQL itself would read it. Ranges of another one together
 * could cost many times what MySQL's own plan does.
 */
final class IndexChooser
{
    private final ScanExplainer explainer;

    @Inject
    IndexChooser(ScanExplainer explainer)
    {
        this.explainer = requireNonNull(explainer, "explainer is null");
    }

    /** Asks MySQL only where the table's indexes and partitions leave a choice. */
    IndexChoice choose(ConnectorSession session, Connection connection, JdbcTableHandle table, PlanningOptions options, TableKey key)
            throws SQLException
    {
        ScanNeeds needs = ScanNeeds.of(table);
        if (key.indexes().stream().anyMatch(index -> index.unique() && new KeyFilter(index.columns(), table.getConstraint()).isPointLookup())) {
            return Whole.because(POINT_LOOKUP);
        }
        return needs.leaveChoice(key) ? choose(key, options, explainer.explain(session, connection, table)) : clustered(key, Optional.empty());
    }

    static IndexChoice choose(TableKey key, PlanningOptions options, ExplainedScan scan)
    {
        if (scan.isPointLookup()) {
            return Whole.because(POINT_LOOKUP);
        }
        Optional<PartitionNames> partitions = scan.partitions().map(PartitionNames::new);
        Optional<TableIndex> index = scan.index().flatMap(key::index);
        if (index.filter(TableIndex::clustered).isPresent()) {
            return clustered(key, partitions);
        }
        // What one split would read is read by one.
        if (!scan.isFullScan() && scan.rows() <= options.targetRowsPerSplit()) {
            return new Whole(SELECTIVE_INDEX, scan.index());
        }
        if (index.isPresent() && scan.isCovering()) {
            return new Cut(index.get(), partitions, key.clustered());
        }
        return index.isPresent() && scan.isIndexRange() ? new Cut(index.get(), partitions, Optional.empty()) : clustered(key, partitions);
    }

    private static IndexChoice clustered(TableKey key, Optional<PartitionNames> partitions)
    {
        return key.clustered().<IndexChoice>map(index -> new Cut(index, partitions, Optional.empty())).orElseGet(() -> Whole.because(NO_PRIMARY_KEY));
    }
}
