package io.mysqlpq.trino;

import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcColumnHandle;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/** Counts the columns at the beginning of a table's primary key that rows are grouped by. */
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
}
