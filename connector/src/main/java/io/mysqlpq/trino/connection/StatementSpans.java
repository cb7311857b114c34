package io.mysqlpq.trino.connection;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.instrumentation.jdbc.datasource.JdbcTelemetry;

import javax.sql.DataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static com.google.common.reflect.Reflection.newProxy;

/** Shows statements of pooled connections as spans, as base-jdbc shows those of its own. */
final class StatementSpans
{
    private final Optional<JdbcTelemetry> telemetry;

    StatementSpans(OpenTelemetry openTelemetry)
    {
        // Wrappers cost time for each statement and row.
        telemetry = openTelemetry.equals(OpenTelemetry.noop()) ? Optional.empty() : Optional.of(JdbcTelemetry.builder(openTelemetry).build());
    }

    Connection of(Connection connection)
            throws SQLException
    {
        return telemetry.isEmpty() ? connection : telemetry.get().wrap(sourceOf(connection)).getConnection();
    }

    // The spans use nothing of a data source but its connections.
    private static DataSource sourceOf(Connection connection)
    {
        return newProxy(DataSource.class, (_, method, _) -> {
            if (!method.getName().equals("getConnection")) {
                throw new UnsupportedOperationException(method.toString());
            }
            return connection;
        });
    }
}
