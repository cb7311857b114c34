package io.mysqlpq.trino;

import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.reflect.Reflection.newProxy;

/** Gives the rows of each query in one order, for comparisons that do not ask for the query's own. */
final class SortedRows
{
    private SortedRows()
    {}

    static QueryRunner of(QueryRunner runner)
    {
        return newProxy(QueryRunner.class, (_, method, arguments) -> {
            try {
                Object value = method.invoke(runner, arguments);
                return value instanceof MaterializedResult result ? sorted(result) : value;
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static MaterializedResult sorted(MaterializedResult result)
    {
        List<MaterializedRow> rows = result.getMaterializedRows().stream()
                .map(row -> Map.entry(row.toString(), row))
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
        return new MaterializedResult(Optional.empty(), rows, result.getTypes(), result.getColumnNames());
    }
}
