package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Runs SQL over one connection and states what its errors must be.
 */
final class Session
        implements AutoCloseable
{
    static final int UDF_ERROR = 3200;

    private final Connection connection;
    private final long id;

    Session(MysqlServer server)
    {
        this(server, "root", "");
    }

    Session(MysqlServer server, String user, String password)
    {
        try {
            connection = server.connect(user, password);
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot connect as " + user, e);
        }
        id = number("SELECT CONNECTION_ID()");
    }

    // Returns the id that the connection had when it was opened: the server may have closed it since.
    long id()
    {
        return id;
    }

    Connection connection()
    {
        return connection;
    }

    Session execute(String... statements)
    {
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
            catch (SQLException e) {
                throw new AssertionError("Failed: %s: %s %s".formatted(sql, e.getErrorCode(), e.getMessage()), e);
            }
        }
        return this;
    }

    // For writers that run against each other.
    void executeOrDeadlock(String sql)
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        catch (SQLException e) {
            assertThat(e.getErrorCode()).as("%s: %s", sql, e.getMessage()).isEqualTo(1213);
        }
    }

    // The first column of all rows.
    List<String> values(String sql)
    {
        try {
            return query(sql);
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: %s: %s %s".formatted(sql, e.getErrorCode(), e.getMessage()), e);
        }
    }

    String value(String sql)
    {
        List<String> values = values(sql);
        assertThat(values).as(sql).hasSize(1);
        return values.getFirst();
    }

    long number(String sql)
    {
        return Long.parseLong(value(sql));
    }

    SQLException failure(String sql)
    {
        List<String> rows = new ArrayList<>();
        SQLException failure = catchThrowableOfType(SQLException.class, () -> rows.addAll(query(sql)));
        assertThat((Throwable) failure).as("%s must fail but gave %s", sql, rows).isNotNull();
        return failure;
    }

    void assertFails(String sql, int errorCode)
    {
        SQLException failure = failure(sql);
        assertThat(failure.getErrorCode()).as("%s: %s", sql, failure.getMessage()).isEqualTo(errorCode);
    }

    // A refusal is an error of the extension's own: number 3200 and a message that opens with its code.
    void assertRefused(String sql, String code, String... fragments)
    {
        SQLException failure = failure(sql);
        assertThat(failure.getErrorCode()).as("%s: %s", sql, failure.getMessage()).isEqualTo(UDF_ERROR);
        assertThat(failure.getMessage()).as(sql).startsWith("mysql_pq: " + code + ": ");
        for (String fragment : fragments) {
            assertThat(failure.getMessage()).as(sql).contains(fragment);
        }
    }

    @Override
    public void close()
    {
        try {
            connection.close();
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot close a session", e);
        }
    }

    // As values(), but errors are the caller's.
    List<String> query(String sql)
            throws SQLException
    {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            if (rows) {
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        values.add(result.getString(1));
                    }
                }
            }
        }
        return values;
    }
}
