package io.mysqlpq.trino.load;

import com.mysql.cj.conf.RuntimeProperty;
import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.JdbcStatement;
import io.airlift.log.Logger;
import io.mysqlpq.trino.error.MysqlError;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;

import static com.mysql.cj.conf.PropertyKey.allowLoadLocalInfile;
import static java.util.Objects.requireNonNull;

/**
 * Sends rows to MySQL in the transaction of a connection: by LOAD DATA if that may be, otherwise by INSERT.
 *
 * <p>LOAD DATA LOCAL costs MySQL less than half of what INSERT costs. But it leaves out rows that MySQL refuses, changes values that do not fit,
 * and only warns. So rows that are not loaded without any warning are taken back, and inserted: MySQL then says what is wrong with them. It does not
 * even warn of a column that needs a value and gets none. So the first row is always inserted, in the same transaction, which DDL cannot interrupt.
 */
final class RowSender
{
    private static final Logger log = Logger.get(RowSender.class);

    private static final String SAVEPOINT = "mysql_pq_load";

    private final Connection connection;
    private final InsertTemplate template;
    private final RowText text;
    private final int statementLimit;
    private final BitSet instants;
    private boolean loading;

    /**
     * @param statementLimit bytes that an INSERT of more than one row has at most
     * @param instants columns of the type TIMESTAMP. LOAD DATA writes the current time for a NULL in one that is NOT NULL, without a warning
     */
    RowSender(Connection connection, InsertTemplate template, RowText text, int statementLimit, BitSet instants, boolean loading)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.template = requireNonNull(template, "template is null");
        this.text = requireNonNull(text, "text is null");
        this.statementLimit = statementLimit;
        this.instants = (BitSet) instants.clone();
        this.loading = loading;
    }

    void send(RowBuffer rows)
            throws SQLException
    {
        if (rows.rows() == 0) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            // Otherwise the driver would have MySQL prepare the statement that asks for warnings, if the URL wants cursors.
            statement.setFetchSize(0);
            if (loading && !rows.hasNull(instants)) {
                loading = load(statement, rows);
                if (loading) {
                    return;
                }
            }
            for (int sent = 0; sent < rows.rows();) {
                sent += insert(statement, rows, sent, statementLimit);
            }
        }
    }

    private int insert(Statement statement, RowBuffer rows, int first, int limit)
            throws SQLException
    {
        int sent = text.insert(template, rows, first, limit);
        statement.executeUpdate(text.sql());
        return sent;
    }

    // Returns false if none of the rows is there.
    private boolean load(Statement statement, RowBuffer rows)
            throws SQLException
    {
        statement.execute("SAVEPOINT " + SAVEPOINT);
        int first = insert(statement, rows, 0, 1);
        if (first == rows.rows()) {
            return true;
        }
        SQLException failure = null;
        try {
            if (loadLines(statement, rows, first)) {
                return true;
            }
            log.debug("LOAD DATA took not all rows without a warning: %s", template.table());
        }
        catch (SQLException e) {
            if (MysqlError.isLockConflict(e) || MysqlError.isInterrupted(e)) {
                throw e;
            }
            failure = e;
            log.debug(e, "LOAD DATA failed: %s", template.table());
        }
        try {
            statement.execute("ROLLBACK TO SAVEPOINT " + SAVEPOINT);
            if (warnings(statement) > 0) {
                throw new SQLException("MySQL warned of rows, which could not all be taken back: since the write began, the table lost its transactions, or one of its triggers writes to a table without them. Check the rows, set load_data_enabled to false, and run the query again");
            }
        }
        catch (SQLException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
            throw failure;
        }
        return false;
    }

    private boolean loadLines(Statement statement, RowBuffer rows, int first)
            throws SQLException
    {
        JdbcStatement driver = statement.unwrap(JdbcStatement.class);
        RuntimeProperty<Boolean> allowed = driver.getConnection().unwrap(JdbcConnection.class).getPropertySet().getBooleanProperty(allowLoadLocalInfile);
        // The driver then reads this stream, and no file, whatever name the server asks for.
        driver.setLocalInfileInputStream(text.lines(rows, first));
        allowed.setValue(true);
        long loaded;
        try {
            // A tab, a backslash and a newline, in a way that no sql_mode reads otherwise.
            loaded = statement.executeLargeUpdate("%sLOAD DATA LOCAL INFILE 'rows' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS TERMINATED BY x'09' ESCAPED BY x'5C' LINES TERMINATED BY x'0A' %s%s".formatted(
                    template.mark(),
                    template.table(),
                    template.columns(),
                    template.rest()));
        }
        finally {
            allowed.setValue(false);
            driver.setLocalInfileInputStream(null);
        }
        return loaded == rows.rows() - first && warnings(statement) == 0;
    }

    // The number is right even if the server keeps no warnings.
    private static long warnings(Statement statement)
            throws SQLException
    {
        try (ResultSet count = statement.executeQuery("SELECT @@SESSION.warning_count")) {
            count.next();
            return count.getLong(1);
        }
    }
}
