package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/** Names one of the table functions, with the arguments of a call. */
public sealed interface OperationHandle
        extends ConnectorTableFunctionHandle
{
    /** Whether each server of the catalog is asked. Otherwise one of them is. */
    default boolean isOfEachServer()
    {
        return switch (this) {
            case RunningScans _,Doctor _ -> true;
            case Ranges _,Counters _,Position _ -> false;
        };
    }

    /**
     * Asks for the ranges of a table.
     *
     * @param schema the name that MySQL has for it, as for the table
     * @param index the index to cut; the one that holds the rows if it is absent
     * @param degree most ranges; if the table has partitions, of each of them
     * @param columns MySQL's names of the table's columns that Trino lets the user read
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

    /** Asks for the statements of this connector that MySQL executes. */
    record RunningScans()
            implements OperationHandle
    {}

    /** Asks what is wrong with the server, or with the account. */
    record Doctor()
            implements OperationHandle
    {}

    /** Holds what the coordinator counts, which the coordinator has read already. */
    record Counters(List<Counter> counters)
            implements OperationHandle
    {
        public Counters
        {
            counters = List.copyOf(counters);
        }
    }

    /**
     * Holds what the snapshot of the session's group has, which the coordinator has asked already.
     *
     * @param gtidExecuted the transactions whose rows it has
     * @param opened the server's time before that, in UTC
     * @param server the MySQL server, as host:port
     */
    record Position(String gtidExecuted, String opened, Optional<String> server)
            implements OperationHandle
    {
        public Position
        {
            requireNonNull(gtidExecuted, "gtidExecuted is null");
            requireNonNull(opened, "opened is null");
            requireNonNull(server, "server is null");
        }
    }

    /**
     * A number of one of the catalog's MBeans.
     *
     * @param type the MBean's
     * @param server the replica that it counts for; empty for all that is counted for the primary or for the catalog
     */
    record Counter(String type, String attribute, double value, Optional<String> server)
    {
        public Counter
        {
            requireNonNull(type, "type is null");
            requireNonNull(attribute, "attribute is null");
            requireNonNull(server, "server is null");
        }
    }
}
