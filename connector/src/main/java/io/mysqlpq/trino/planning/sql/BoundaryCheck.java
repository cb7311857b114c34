package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.key.BoundOrder;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Makes sure that boundaries strictly increase, because ranges out of order would overlap. It compares by the rules of the columns' types,
 * and asks MySQL where only MySQL can compare.
 */
final class BoundaryCheck
{
    private final KeyStatements statements;
    private final List<KeyColumn> columns;

    BoundaryCheck(KeyStatements statements, List<KeyColumn> columns)
    {
        this.statements = statements;
        this.columns = ImmutableList.copyOf(columns);
    }

    /** Returns the ranges. Joins neighbours whose boundary does not increase. */
    List<EstimatedRange> checked(List<EstimatedRange> ranges)
            throws SQLException
    {
        List<EstimatedRange> increasing = joinedAt(disorder(ranges), ranges);
        if (increasing.size() == ranges.size() || disorder(increasing).isEmpty()) {
            return increasing;
        }
        return ImmutableList.of(new EstimatedRange(KeyRange.all(), ranges.stream().mapToLong(EstimatedRange::estimatedRows).sum()));
    }

    // The ranges above a boundary that does not come after the one before.
    private Set<Integer> disorder(List<EstimatedRange> ranges)
            throws SQLException
    {
        List<KeyBound> boundaries = ranges.stream().flatMap(range -> range.range().upper().stream()).collect(toImmutableList());
        if (boundaries.size() < 2) {
            return ImmutableSet.of();
        }
        int[] answers = statements.comparisons(boundaries);
        int perPair = (int) columns.stream().filter(ProbeSql::isComparedByMysql).count();
        // A value that MySQL cannot compare has no answer.
        boolean answered = answers.length == perPair * (boundaries.size() - 1);
        return IntStream.range(1, boundaries.size())
                .filter(i -> !answered || !increases(boundaries.get(i - 1), boundaries.get(i), answers, (i - 1) * perPair))
                .map(i -> i + 1)
                .boxed()
                .collect(toImmutableSet());
    }

    private static List<EstimatedRange> joinedAt(Set<Integer> places, List<EstimatedRange> ranges)
    {
        List<EstimatedRange> joined = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            EstimatedRange range = ranges.get(i);
            if (places.contains(i)) {
                EstimatedRange before = joined.removeLast();
                joined.add(new EstimatedRange(new KeyRange(before.range().lower(), range.range().upper()), before.estimatedRows() + range.estimatedRows()));
            }
            else {
                joined.add(range);
            }
        }
        return ImmutableList.copyOf(joined);
    }

    private boolean increases(KeyBound left, KeyBound right, int[] answers, int firstAnswer)
    {
        int answer = firstAnswer;
        for (int i = 0; i < columns.size(); i++) {
            KeyColumn column = columns.get(i);
            if (ProbeSql.isComparedByMysql(column)) {
                int comparison = answers[answer];
                answer++;
                if (comparison != 0) {
                    return comparison < 0 != column.descending();
                }
            }
            else if (!left.values().get(i).equals(right.values().get(i))) {
                return BoundOrder.mayPrecede(ImmutableList.of(column), KeyBound.of(left.values().get(i)), KeyBound.of(right.values().get(i)));
            }
        }
        return false;
    }
}
