package io.mysqlpq.trino.client;

import io.mysqlpq.trino.rows.ChangedColumnException;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.TrinoException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;

/** Makes a statement that gives its rows only if their columns are those that the query was planned on. base-jdbc's readers rely on that. */
final class CheckedResults
{
    private CheckedResults()
    {}

    static PreparedStatement of(PreparedStatement statement, List<JdbcColumnHandle> planned)
    {
        return (PreparedStatement) Proxy.newProxyInstance(CheckedResults.class.getClassLoader(), new Class<?>[] {PreparedStatement.class}, (_, method, arguments) -> {
            try {
                Object result = method.invoke(statement, arguments);
                if (result instanceof ResultSet rows && method.getName().equals("executeQuery")) {
                    check(rows, planned);
                }
                return result;
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static void check(ResultSet rows, List<JdbcColumnHandle> planned)
            throws SQLException
    {
        try {
            ReceivedColumn.checkRead(rows, 0, planned);
        }
        catch (ChangedColumnException e) {
            throw new TrinoException(MYSQL_PQ_TABLE_CHANGED, "A table that system.query reads was altered after the query was planned: %s. Run the query again".formatted(e.getMessage()), e);
        }
    }
}
