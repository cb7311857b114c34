package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;

import java.util.Collections;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.server.TableKey.Shape.PARTITIONED_TABLE;
import static java.util.Objects.requireNonNull;

/**
 * Says what a scan needs of a table's indexes.
 *
 * @param columns names of the columns that the scan reads
 * @param filtered names of the columns that the scan filters
 * @param apart names of filtered columns whose matching values stand far apart, with many others between them
 * @param expressions whether there are filters whose columns are not known
 */
record ScanNeeds(Set<String> columns, Set<String> filtered, Set<String> apart, boolean expressions)
{
    // Sending one row by SQL costs as much as looking at this many rows in a native scan.
    private static final int LEAST_SPARSENESS = 8;

    ScanNeeds
    {
        requireNonNull(columns, "columns is null");
        requireNonNull(filtered, "filtered is null");
        requireNonNull(apart, "apart is null");
    }

    static ScanNeeds of(JdbcTableHandle table)
    {
        return new ScanNeeds(
                ReadColumns.of(table).stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableSet()),
                filtered(table, _ -> true),
                filtered(table, ScanNeeds::isApart),
                !table.getConstraintExpressions().isEmpty());
    }

    private static Set<String> filtered(JdbcTableHandle table, Predicate<Domain> predicate)
    {
        return table.getConstraint().getDomains().orElse(ImmutableMap.of()).entrySet().stream()
                .filter(entry -> predicate.test(entry.getValue()))
                .map(entry -> ((JdbcColumnHandle) entry.getKey()).getColumnName())
                .collect(toImmutableSet());
    }

    // A range with holes is read in less time than it takes to find what lies between the holes.
    private static boolean isApart(Domain domain)
    {
        if (!(domain.getValues() instanceof SortedRangeSet ranges) || ranges.getRangeCount() < 2) {
            return false;
        }
        OptionalDouble matched = ranges.getOrderedRanges().stream().map(ScanNeeds::width).reduce(OptionalDouble.of(0), ScanNeeds::sum);
        OptionalDouble span = width(ranges.getSpan());
        return (matched.isPresent() && span.isPresent()) ? span.getAsDouble() > LEAST_SPARSENESS * matched.getAsDouble() : ranges.isDiscreteSet();
    }

    private static OptionalDouble sum(OptionalDouble left, OptionalDouble right)
    {
        return left.isPresent() && right.isPresent() ? OptionalDouble.of(left.getAsDouble() + right.getAsDouble()) : OptionalDouble.empty();
    }

    // How many numbers, or days.
    private static OptionalDouble width(Range range)
    {
        return range.getLowValue().orElse(null) instanceof Long low && range.getHighValue().orElse(null) instanceof Long high
                ? OptionalDouble.of((double) high - (double) low + 1)
                : OptionalDouble.empty();
    }

    /** Whether MySQL might read the scan otherwise than by the whole clustered index. */
    boolean leaveChoice(TableKey key)
    {
        if (key.shape() == PARTITIONED_TABLE && isFiltered()) {
            return true;
        }
        return isOfKeysApart(key) || key.secondary().stream().anyMatch(index -> expressions || filters(index) || mayCover(index, key));
    }

    /** Whether MySQL finds rows by the clustered index here and there, while ranges of it hold all that is between. */
    boolean isOfKeysApart(TableKey key)
    {
        return key.clustered().filter(index -> apart.contains(index.columns().getFirst().name())).isPresent();
    }

    /** Whether a filter leaves one range of the clustered index's first column. */
    boolean isOneRangeOfKeys(TableKey key)
    {
        return key.clustered().filter(index -> filtered.contains(index.columns().getFirst().name())).isPresent() && !isOfKeysApart(key);
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
        return held.containsAll(columns) && held.containsAll(filtered);
    }
}
