package io.mysqlpq.cross.ranges;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * One range of a tree, for people to look at.
 *
 * @param lower the key where it begins; empty for the tree's beginning
 * @param upper the key before which it ends; empty for the tree's end
 * @param rows an estimate; empty if the user may not see the table's size
 * @param pages the same of its leaf pages
 */
record DrawnRange(Optional<String> lower, Optional<String> upper, Optional<Long> rows, Optional<Long> pages)
{
    DrawnRange
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(pages, "pages is null");
    }
}
