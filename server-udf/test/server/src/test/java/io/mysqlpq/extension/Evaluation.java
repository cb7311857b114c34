package io.mysqlpq.extension;

import io.mysqlpq.extension.RandomExpression.Expression;
import io.mysqlpq.extension.RandomExpression.NoValueException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.stream.Collectors.joining;

/**
 * Computes which rows pass a filter and conditions, and what expressions are for them.
 *
 * @param rows those that pass, with the cells of the columns and then of the expressions; empty if an expression has no value for one of them
 * @param whereHasValues whether the option `where` has values for all rows that pass the filter
 */
record Evaluation(String options, List<Expression> expressions, Optional<List<List<Object>>> rows, boolean whereHasValues)
{
    static Evaluation of(TablePart part, String sizes, RowFilter filter, List<Expression> where, List<Expression> expressions)
    {
        String options = sizes + filter.option()
                + "\"where\": [%s], ".formatted(where.stream().map(Expression::json).collect(joining(", ")))
                + "\"expressions\": [%s], ".formatted(expressions.stream().map(Expression::option).collect(joining(", ")));
        Optional<List<List<Object>>> rows = passing(part, filter, where, expressions);
        return new Evaluation(options, expressions, rows, rows.isPresent() || passing(part, filter, where, List.of()).isPresent());
    }

    private static Optional<List<List<Object>>> passing(TablePart part, RowFilter filter, List<Expression> where, List<Expression> expressions)
    {
        List<List<Object>> passing = new ArrayList<>();
        try {
            for (int i = 0; i < part.rows().size(); i++) {
                List<Object> row = part.cells().get(i);
                if (filter.passes().test(part.rows().get(i)) && where.stream().allMatch(condition -> Boolean.TRUE.equals(condition.value().apply(row)))) {
                    List<Object> extended = new ArrayList<>(row);
                    expressions.forEach(expression -> extended.add(expression.cell(row)));
                    passing.add(extended);
                }
            }
        }
        catch (NoValueException e) {
            return Optional.empty();
        }
        return Optional.of(passing);
    }
}
