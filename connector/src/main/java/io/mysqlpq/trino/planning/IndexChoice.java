package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.TableIndex;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Says by which index a scan is cut, or why it is not. */
public sealed interface IndexChoice
{
    /** @param index by which MySQL finds few rows */
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
     */
    record Cut(TableIndex index, Optional<PartitionNames> partitions, Purpose purpose)
            implements IndexChoice
    {
        public Cut
        {
            requireNonNull(index, "index is null");
            requireNonNull(partitions, "partitions is null");
            requireNonNull(purpose, "purpose is null");
        }
    }

    /** Names why an index is cut, and so what becomes of a scan for which it turns out to have no ranges. */
    enum Purpose
    {
        /** It holds the rows. */
        ROWS,
        /** It holds all that is read. The rows hold that too. */
        COVERING,
        /** The filter is on it: MySQL would use no other. */
        FILTER,
        /** It is all that a table has whose rows have no order. Each row is looked up, for which many ranges have to make up. */
        LOOKUPS,
    }
}
