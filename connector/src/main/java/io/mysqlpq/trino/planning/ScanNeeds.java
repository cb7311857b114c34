package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.server.TableKey.Shape.PARTITIONED_TABLE;
import static java.util.Objects.requireNonNull;

/**
 * Says what a scan takes of a table's indexes, as far as its handle knows.
 *
 * @param columns names of the columns that it reads; empty if it may be all
 * @param filtered names of the columns that it filters
 * @param expressions whether it has filters whose columns are not known
 */
record ScanNeeds(Optional<Set<String>> columns, Set<String> filtered, boolean expressions)
{
    ScanNeeds
    {
        requireNonNull(columns, "columns is null");
        requireNonNull(filtered, "filtered is null");
    }

    static ScanNeeds of(JdbcTableHandle table)
    {
        return new ScanNeeds(
                ReadColumns.of(table).map(columns -> columns.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableSet())),
                table.getConstraint().getDomains().orElse(ImmutableMap.of()).keySet().stream().map(column -> ((JdbcColumnHandle) column).getColumnName()).collect(toImmutableSet()),
                !table.getConstraintExpressions().isEmpty());
    }

    /** Whether MySQL might read the scan otherwise than by the whole clustered index. */
    boolean leaveChoice(TableKey key)
    {
        if (key.shape() == PARTITIONED_TABLE && isFiltered()) {
            return true;
        }
        return key.secondary().stream().anyMatch(index -> expressions || filters(index) || mayCover(index, key));
    }

    private boolean isFiltered()
    {
        return expressions || !filtered.isEmpty();
    }

    private boolean filters(TableIndex index)
    {
        return index.columns().stream().anyMatch(column -> filtered.contains(column.name()));
    }

    // Each index holds the columns of the clustered one too.
    private boolean mayCover(TableIndex index, TableKey key)
    {
        Set<String> held = Sets.union(index.wholeColumns(), key.clustered().map(TableIndex::wholeColumns).orElseGet(Collections::emptySet));
        return columns.isPresent() && held.containsAll(columns.get()) && held.containsAll(filtered);
    }
}
