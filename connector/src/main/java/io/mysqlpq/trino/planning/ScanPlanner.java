package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.server.RememberedKeys;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.spi.connector.ConnectorSession;

import static java.util.Objects.requireNonNull;

/** Begins to decide how the scans of queries are read. */
public final class ScanPlanner
{
    private final FactReader reader;
    private final ScanExplainer explainer;
    private final RememberedKeys rememberedKeys;

    @Inject
    ScanPlanner(FactReader reader, ScanExplainer explainer, RememberedKeys rememberedKeys)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.explainer = requireNonNull(explainer, "explainer is null");
        this.rememberedKeys = requireNonNull(rememberedKeys, "rememberedKeys is null");
    }

    public QueryScans query(ConnectorSession session)
    {
        return new QueryScans(session, reader, this);
    }

    /** Whether a scan reads one row at most, by a unique key that its table had lately. Asks MySQL nothing. */
    public boolean isPointLookup(JdbcTableHandle table)
    {
        return table.isNamedRelation()
                && rememberedKeys.unique(QueryScans.nameOf(table)).stream().anyMatch(index -> ScannedIndex.isPointLookup(table, index));
    }

    /** The statement that one split of a scan would be. */
    PreparedQuery statement(ConnectorSession session, JdbcTableHandle table)
    {
        return explainer.statement(session, table);
    }
}
