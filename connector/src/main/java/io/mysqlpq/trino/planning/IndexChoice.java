package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.TableIndex;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Says by which index a scan is cut, or why it is not. */
public sealed interface IndexChoice
{
    record Whole(OneSplitReason reason, Optional<String> index)
            implements IndexChoice
    {
        public Whole
        {
            requireNonNull(reason, "reason is null");
            requireNonNull(index, "index is null");
        }

        static Whole because(OneSplitReason reason)
        {
            return new Whole(reason, Optional.empty());
        }
    }

    /**
     * Cuts an index.
     *
     * @param partitions those that the filter leaves, if MySQL was asked
     * @param instead what is cut if this index has no ranges; empty if the scan is then read whole
     */
    record Cut(TableIndex index, Optional<PartitionNames> partitions, Optional<TableIndex> instead)
            implements IndexChoice
    {
        public Cut
        {
            requireNonNull(index, "index is null");
            requireNonNull(partitions, "partitions is null");
            requireNonNull(instead, "instead is null");
        }
    }
}
