package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/** Asks one server, in one session that is in no transaction. */
final class ExaminedServer
{
    private final Connection connection;
    private final UnaryOperator<String> queryComment;
    private final boolean oneSnapshot;
    private final String grantee;
    private final boolean readOnly;

    ExaminedServer(Connection connection, UnaryOperator<String> queryComment, boolean oneSnapshot)
            throws SQLException
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.queryComment = requireNonNull(queryComment, "queryComment is null");
        this.oneSnapshot = oneSnapshot;
        this.grantee = text("SELECT CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', CHAR_LENGTH(CURRENT_USER()) - CHAR_LENGTH(REPLACE(CURRENT_USER(), '@', '')))), '@', QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))")
                .orElseThrow();
        this.readOnly = number("SELECT @@GLOBAL.read_only") != 0;
    }

    Connection connection()
    {
        return connection;
    }

    UnaryOperator<String> queryComment()
    {
        return queryComment;
    }

    /** The account as GRANT wants it, such as 'reader'@'%'. */
    String grantee()
    {
        return grantee;
    }

    /** Whether queries fail if their scans cannot share a snapshot. */
    boolean oneSnapshot()
    {
        return oneSnapshot;
    }

    /** Completes advice that writes to MySQL's own tables. A replica takes such changes from its source. */
    String whereWritten(String advice)
    {
        return readOnly ? "On the source: " + advice : advice;
    }

    /** Returns the first value. Empty if there is no row, or the value is NULL. */
    Optional<String> text(String sql)
            throws SQLException
    {
        List<List<String>> rows = rows(sql);
        return rows.isEmpty() ? Optional.empty() : Optional.ofNullable(rows.getFirst().getFirst());
    }

    long number(String sql)
            throws SQLException
    {
        return text(sql).map(Long::parseLong).orElse(0L);
    }

    /** All rows, whose values may be null. */
    List<List<String>> rows(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(queryComment.apply(sql))) {
            ImmutableList.Builder<List<String>> rows = ImmutableList.builder();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(result.getString(column));
                }
                rows.add(Collections.unmodifiableList(row));
            }
            return rows.build();
        }
    }

    /** Runs a statement and returns MySQL's error. Empty if there is none. */
    Optional<SQLException> failure(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(queryComment.apply(sql));
            return Optional.empty();
        }
        catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            return Optional.of(e);
        }
    }
}
