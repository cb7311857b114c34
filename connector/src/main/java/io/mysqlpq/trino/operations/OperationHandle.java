package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/** Says what one of the table functions is to tell. */
public sealed interface OperationHandle
        extends ConnectorTableFunctionHandle
{
    /**
     * Ranges of a table.
     *
     * @param schema the name that MySQL has for it, as for the table
     * @param index to cut by; the one that holds the rows if it is absent
     * @param degree most ranges, of each partition if there are some
     * @param columns that MySQL has for the table's columns, and Trino lets the user read
     */
    record Ranges(String schema, String table, Optional<String> index, int degree, Set<String> columns)
            implements OperationHandle
    {
        public Ranges
        {
            requireNonNull(schema, "schema is null");
            requireNonNull(table, "table is null");
            requireNonNull(index, "index is null");
            checkArgument(degree > 0, "degree is not positive: %s", degree);
            columns = ImmutableSet.copyOf(columns);
        }

        RemoteTableName name()
        {
            return new RemoteTableName(Optional.of(schema), Optional.empty(), table);
        }
    }

    /** Statements of this connector that MySQL executes. */
    record RunningScans()
            implements OperationHandle
    {}

    /** What is wrong with the server, or the account. */
    record Doctor()
            implements OperationHandle
    {}

    /** What the coordinator counts; read there already. */
    record Counters(List<Counter> counters)
            implements OperationHandle
    {
        public Counters
        {
            counters = List.copyOf(counters);
        }
    }

    /**
     * A number of one of the catalog's MBeans.
     *
     * @param type the MBean's
     */
    record Counter(String type, String attribute, double value)
    {
        public Counter
        {
            requireNonNull(type, "type is null");
            requireNonNull(attribute, "attribute is null");
        }
    }
}
