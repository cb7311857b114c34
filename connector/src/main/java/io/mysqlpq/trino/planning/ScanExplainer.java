package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/** Asks MySQL how it would run a statement. EXPLAIN touches no row but those of the optimizer's index dives. */
final class ScanExplainer
{
    private final JdbcClient client;
    private final QueryBuilder queryBuilder;

    @Inject
    ScanExplainer(JdbcClient client, QueryBuilder queryBuilder)
    {
        this.client = requireNonNull(client, "client is null");
        this.queryBuilder = requireNonNull(queryBuilder, "queryBuilder is null");
    }

    /** The statement that one split of a scan would be. The order of its columns does not matter here, so it is always the same. */
    PreparedQuery statement(ConnectorSession session, JdbcTableHandle table)
    {
        List<JdbcColumnHandle> columns = ReadColumns.of(table).stream()
                .sorted(comparing(JdbcColumnHandle::getColumnName))
                .collect(toImmutableList());
        return client.prepareQuery(session, table, Optional.empty(), columns, ImmutableMap.of());
    }

    ExplainedScan explain(ConnectorSession session, Connection connection, PreparedQuery query)
            throws SQLException
    {
        PreparedQuery explain = new PreparedQuery("EXPLAIN FORMAT = TRADITIONAL " + query.query(), query.parameters());
        try (PreparedStatement statement = queryBuilder.prepareStatement(client, session, connection, explain, Optional.empty());
                ResultSet rows = statement.executeQuery()) {
            return ExplainedScan.read(rows);
        }
    }
}
