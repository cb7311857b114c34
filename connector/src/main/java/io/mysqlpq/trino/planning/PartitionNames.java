package io.mysqlpq.trino.planning;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.server.PartitionReader.Partition;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Names the (sub)partitions that a filter leaves, as MySQL's EXPLAIN lists them. */
record PartitionNames(String list)
{
    PartitionNames
    {
        requireNonNull(list, "list is null");
    }

    int count()
    {
        return names().size();
    }

    /** All of them if the list may be read in more than one way. */
    List<String> select(List<Partition> partitions)
    {
        boolean ambiguous = partitions.stream().anyMatch(partition -> partition.explainedName().contains(","));
        Set<String> names = names();
        return partitions.stream()
                .filter(partition -> ambiguous || names.contains(partition.explainedName()))
                .map(Partition::name)
                .collect(toImmutableList());
    }

    private Set<String> names()
    {
        return ImmutableSet.copyOf(Splitter.on(',').omitEmptyStrings().split(list));
    }
}
