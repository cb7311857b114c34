package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcColumnHandle;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/** Finds the columns at the beginning of a table's primary key that rows are grouped by. */
final class LeadingColumns
{
    private LeadingColumns()
    {}

    /** @return 0 without a primary key of whole values, and of a table in several trees, each of which may have rows of a group */
    static int count(TableKey key, List<JdbcColumnHandle> groupBy)
    {
        if (key.shape() != TableKey.Shape.INNODB_TABLE) {
            return 0;
        }
        Set<String> grouped = groupBy.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableSet());
        return key.clustered()
                .filter(TableIndex::isWholePrimaryKey)
                .map(index -> (int) index.columns().stream().takeWhile(column -> grouped.contains(column.name())).count())
                .orElse(0);
    }

    /** @return columns of the key, in its order, and then the others */
    static List<JdbcColumnHandle> inOrder(TableKey key, List<JdbcColumnHandle> groupBy)
    {
        List<String> names = key.clustered().stream().flatMap(index -> index.columns().stream()).map(TableIndex.Column::name).collect(toImmutableList());
        return groupBy.stream()
                .sorted(Comparator.comparingInt(column -> names.contains(column.getColumnName()) ? names.indexOf(column.getColumnName()) : names.size()))
                .collect(toImmutableList());
    }
}
