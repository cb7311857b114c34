package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.planning.sql.PartCutter.STATEMENTS_PER_CUT;
import static java.lang.Math.ceil;
import static java.lang.Math.clamp;

/**
 * Finds ranges of about the same number of rows. Cuts the index into parts until no part has more than a fraction of a
 * range's rows, and then joins parts to ranges. The algorithm and its costs: docs/decisions/sql-ranges.md.
 */
final class RangeSearch
{
    private static final int PARTS_PER_RANGE = 4;
    // The check of the boundaries' order must always fit into the budget.
    private static final int STATEMENTS_OF_CHECK = 2;
    private static final int QUERY_TIMEOUT = 3024;

    private final KeyStatements statements;
    private final IndexKey key;
    private final StatementBudget budget;
    private final SqlRangesRequest request;

    RangeSearch(KeyStatements statements, IndexKey key, StatementBudget budget, SqlRangesRequest request)
    {
        this.statements = statements;
        this.key = key;
        this.budget = budget;
        this.request = request;
    }

    /** Returns ordered, gap-free and half-open ranges; a single one for a small table. */
    List<EstimatedRange> run()
            throws SQLException
    {
        long rows = statements.estimates(ImmutableList.of(request.range()))[0];
        if (count(rows) == 1) {
            return ImmutableList.of(new EstimatedRange(KeyRange.all(), rows));
        }
        List<WeighedPart> parts = parts(rows);
        return new BoundaryCheck(statements, key.columns()).checked(PartJoiner.of(parts, count(sum(parts))));
    }

    private List<WeighedPart> parts(long rows)
            throws SQLException
    {
        List<WeighedPart> parts = ImmutableList.of();
        try {
            parts = whole(rows);
            PartCutter cutter = new PartCutter(statements, key.columns(), new RowEstimates(statements.rowsPerPage(request.schema(), request.table())));
            List<WeighedPart> before = ImmutableList.of();
            while (!parts.equals(before) && budget.allows(STATEMENTS_PER_CUT + STATEMENTS_OF_CHECK)) {
                before = parts;
                parts = cutter.cut(parts, sum(parts) / count(sum(parts)) / PARTS_PER_RANGE);
            }
        }
        catch (SQLException e) {
            if (e.getErrorCode() != QUERY_TIMEOUT) {
                throw e;
            }
            // The parts that were found so far have to do.
        }
        return parts;
    }

    // Empty if there are no rows.
    private List<WeighedPart> whole(long rows)
            throws SQLException
    {
        // MySQL goes backward in the whole index in any case.
        KeyRange last = PartProbes.haveOneDirection(key.columns()) ? request.range() : KeyRange.all();
        ListMultimap<Integer, KeyBound> keys = statements.keys(ImmutableList.of(new Probe.From(0, request.range(), Optional.empty()), new Probe.Last(1, last)));
        if (keys.get(0).isEmpty() || keys.get(1).isEmpty()) {
            return ImmutableList.of();
        }
        KeyBound greatest = keys.get(1).getFirst();
        KeyBound end = last.equals(request.range()) ? greatest : request.range().upper().map(upper -> startingWith(upper, greatest)).orElse(greatest);
        return ImmutableList.of(new WeighedPart(request.range(), keys.get(0).getFirst(), end, rows, false));
    }

    private static KeyBound startingWith(KeyBound start, KeyBound key)
    {
        return new KeyBound(ImmutableList.<KeyValue>builder()
                .addAll(start.values())
                .addAll(key.values().subList(start.values().size(), key.values().size()))
                .build());
    }

    private int count(double rows)
    {
        return (int) clamp(ceil(rows / request.targetRows()), 1, request.maxRanges());
    }

    private static double sum(List<WeighedPart> parts)
    {
        return parts.stream().mapToDouble(WeighedPart::rows).sum();
    }
}
