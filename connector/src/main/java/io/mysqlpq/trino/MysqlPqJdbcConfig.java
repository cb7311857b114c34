package io.mysqlpq.trino;

import com.mysql.cj.conf.ConnectionUrlParser;
import com.mysql.cj.exceptions.CJException;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import jakarta.validation.constraints.AssertTrue;

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
        if (getConnectionUrl() == null || !isUrlSupported()) {
            return true;
        }
        try {
            return isNullOrEmpty(ConnectionUrlParser.parseConnectionString(getConnectionUrl()).getPath());
        }
        catch (CJException e) {
            // The driver says it better when it connects.
            return true;
        }
    }
}
