package io.mysqlpq.cross.ranges;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The B+tree of an index, or of a partition of it.
 *
 * @param cuts at one level each, from the root downwards; the last has the ranges that were asked for
 */
record Tree(Optional<String> partition, List<TreeCut> cuts)
{
    Tree
    {
        requireNonNull(partition, "partition is null");
        cuts = List.copyOf(cuts);
        if (cuts.isEmpty()) {
            throw new IllegalArgumentException("cuts is empty");
        }
    }

    TreeCut finest()
    {
        return cuts.getLast();
    }

    /** As far as it is known. */
    int height()
    {
        return finest().height().orElse(cuts.getFirst().level() + 1);
    }

    Optional<TreeCut> cutAt(int level)
    {
        return cuts.stream().filter(cut -> cut.level() == level).findFirst();
    }
}
