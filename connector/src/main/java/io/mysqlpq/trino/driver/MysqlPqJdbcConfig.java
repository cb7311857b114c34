package io.mysqlpq.trino.driver;

import com.mysql.cj.conf.ConnectionUrlParser;
import com.mysql.cj.exceptions.CJException;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import jakarta.validation.constraints.AssertTrue;

import java.util.Optional;

import static com.google.common.base.Strings.isNullOrEmpty;
import static com.mysql.cj.conf.ConnectionUrlParser.isConnectionStringSupported;

/** Checks the connection URL. */
public class MysqlPqJdbcConfig
        extends BaseJdbcConfig
{
    @AssertTrue(message = "connection-url must be a URL of MySQL Connector/J: jdbc:mysql://host:port")
    public boolean isUrlSupported()
    {
        return getConnectionUrl() == null || isConnectionStringSupported(getConnectionUrl());
    }

    // Every name that the connector sends is qualified by its database, Trino's schema.
    @AssertTrue(message = "connection-url must not name a database: each database is a schema of the catalog")
    public boolean isUrlWithoutDatabase()
    {
        return parsedUrl().map(url -> isNullOrEmpty(url.getPath())).orElse(true);
    }

    // A query's connections would spread over servers whose data differ.
    @AssertTrue(message = "connection-url must name one host: the ranges of a query belong to one server")
    public boolean isUrlOfOneHost()
    {
        return parsedUrl().map(url -> url.getHosts().size() <= 1 && !url.getScheme().contains("+srv")).orElse(true);
    }

    // The driver says it better when it connects.
    private Optional<ConnectionUrlParser> parsedUrl()
    {
        if (getConnectionUrl() == null || !isUrlSupported()) {
            return Optional.empty();
        }
        try {
            ConnectionUrlParser url = ConnectionUrlParser.parseConnectionString(getConnectionUrl());
            url.getHosts();
            return Optional.of(url);
        }
        catch (CJException e) {
            return Optional.empty();
        }
    }
}
