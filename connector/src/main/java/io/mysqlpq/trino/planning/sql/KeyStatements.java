package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ListMultimap;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.RangePredicate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Asks MySQL about keys of one index, with many questions in a statement: which rows lie nearest, how many rows MySQL estimates, and in
 * which order keys are. No question costs more than two descents of the index.
 */
final class KeyStatements
{
    // MySQL takes of it what it needs. It fails unless fifteen keys fit, and the weights of 768 characters may have tens of KB: more than the default of 256 KiB holds.
    private static final int SORT_BUFFER_BYTES = 4 << 20;
    // By default MySQL sorts texts of collations that pad by their first 1,024 bytes, and long keys that begin alike would have no order.
    private static final int SORTED_BYTES = 1 << 16;

    private final Connection connection;
    private final UnaryOperator<String> queryComment;
    private final StatementBudget budget;
    private final ProbeSql sql;
    private final List<KeyColumn> columns;

    KeyStatements(Connection connection, UnaryOperator<String> queryComment, String quotedTable, IndexKey key, Function<String, String> quoted, StatementBudget budget)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.queryComment = requireNonNull(queryComment, "queryComment is null");
        this.budget = requireNonNull(budget, "budget is null");
        this.columns = key.columns();
        this.sql = new ProbeSql(quotedTable, key, quoted, new RangePredicate(key, quoted));
    }

    /** Returns the keys found, by the numbers of their probes' parts, in MySQL's order of the index. */
    ListMultimap<Integer, KeyBound> keys(List<? extends Probe> probes)
            throws SQLException
    {
        String branches = probes.stream().map(sql::key).collect(joining(" UNION ALL "));
        String select = "SELECT /*+ MAX_EXECUTION_TIME(%s) SET_VAR(sort_buffer_size = %s) SET_VAR(max_sort_length = %s) */ %s FROM (%s) p ORDER BY %s"
                .formatted(budget.millisLeft(), SORT_BUFFER_BYTES, SORTED_BYTES, sql.keyNames(), branches, sql.keyOrder());
        ImmutableListMultimap.Builder<Integer, KeyBound> keys = ImmutableListMultimap.builder();
        try (Statement statement = connection.createStatement(); ResultSet rows = execute(statement, select)) {
            while (rows.next()) {
                ImmutableList.Builder<KeyValue> values = ImmutableList.builder();
                for (int i = 0; i < columns.size(); i++) {
                    values.add(KeyText.parse(columns.get(i), rows.getString(i + 2)));
                }
                keys.put(rows.getInt(1), new KeyBound(values.build()));
            }
        }
        return keys.build();
    }

    /** MySQL's estimates of the ranges' rows. */
    long[] estimates(List<KeyRange> ranges)
            throws SQLException
    {
        // The last part is no range. Under FORCE INDEX the optimizer dives only in statements of several levels.
        String explain = "EXPLAIN FORMAT = TRADITIONAL %s UNION ALL SELECT 1".formatted(ranges.stream().map(sql::estimate).collect(joining(" UNION ALL ")));
        long[] estimates = new long[ranges.size()];
        try (Statement statement = connection.createStatement(); ResultSet rows = execute(statement, explain)) {
            while (rows.next()) {
                // The row of EXPLAIN for the union itself has no id. An impossible condition has no number of rows.
                int id = rows.getInt("id");
                if (id > 0 && id <= estimates.length) {
                    estimates[id - 1] = rows.getLong("rows");
                }
            }
        }
        return estimates;
    }

    /** How many rows of the table fit into a page on average, by MySQL's statistics; 0 if it has none. */
    double rowsPerPage(String schema, String table)
            throws SQLException
    {
        budget.spend();
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(ProbeSql.ROWS_PER_PAGE))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getDouble(1) : 0;
            }
        }
    }

    /** Compares each pair of neighbours, column by column where only MySQL compares: negative, zero or positive. */
    int[] comparisons(List<KeyBound> bounds)
            throws SQLException
    {
        List<String> pairs = IntStream.range(1, bounds.size())
                .mapToObj(i -> sql.comparisons(bounds.get(i - 1), bounds.get(i)))
                .flatMap(List::stream)
                .toList();
        if (pairs.isEmpty()) {
            return new int[0];
        }
        try (Statement statement = connection.createStatement(); ResultSet rows = execute(statement, "SELECT CONCAT_WS(',', %s)".formatted(String.join(", ", pairs)))) {
            rows.next();
            return Arrays.stream(rows.getString(1).split(",", -1)).mapToInt(Integer::parseInt).toArray();
        }
    }

    private ResultSet execute(Statement statement, String text)
            throws SQLException
    {
        budget.spend();
        return statement.executeQuery(queryComment.apply(text));
    }
}
