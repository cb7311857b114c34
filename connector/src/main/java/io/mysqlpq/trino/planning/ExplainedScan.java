package io.mysqlpq.trino.planning;

import com.google.common.base.Splitter;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.base.Strings.nullToEmpty;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static java.util.Objects.requireNonNull;

/**
 * Tells how MySQL would read a table, in the words of its EXPLAIN.
 *
 * @param access empty if MySQL knows without reading that nothing matches
 * @param index the index it would use; of several their names in one
 * @param rows that it expects to look at
 * @param passing the share of them that it expects the filter to let through, from 0 to 1
 * @param partitions names of those that it would read; empty if the table has none
 */
public record ExplainedScan(Optional<String> access, Optional<String> index, long rows, double passing, String extra, Optional<String> partitions)
{
    public ExplainedScan
    {
        requireNonNull(access, "access is null");
        requireNonNull(index, "index is null");
        requireNonNull(extra, "extra is null");
        requireNonNull(partitions, "partitions is null");
    }

    /** Reads EXPLAIN's traditional table, which of one SELECT from one table is one row. */
    static ExplainedScan read(ResultSet explained)
            throws SQLException
    {
        explained.next();
        return new ExplainedScan(
                Optional.ofNullable(explained.getString("type")),
                Optional.ofNullable(explained.getString("key")),
                explained.getLong("rows"),
                explained.getDouble("filtered") / 100,
                nullToEmpty(explained.getString("Extra")),
                Optional.ofNullable(explained.getString("partitions")));
    }

    Optional<PartitionNames> partitionNames()
    {
        return partitions.map(PartitionNames::new);
    }

    /** Whether it would read one row at most. */
    boolean isPointLookup()
    {
        return access.isEmpty() || access.get().equals("const") || access.get().equals("system");
    }

    /** Whether it would read an index and none of the rows that it leads to. */
    boolean isCovering()
    {
        // An "index condition" is tested before a row is read.
        return notes().anyMatch(note -> note.equals("Using index") || note.startsWith("Using index for "));
    }

    /** Whether it would read part of one index, found by its leading columns. */
    boolean isIndexRange()
    {
        return access.filter(type -> type.equals("range") || type.equals("ref") || type.equals("ref_or_null")).isPresent() && !isSkipScan();
    }

    /** Whether it would read a part of an index behind each value of the leading columns. How many rows that are, MySQL does not know. */
    boolean isSkipScan()
    {
        return extra.contains("skip scan");
    }

    /** Whether it would read the whole table or index. */
    boolean isFullScan()
    {
        return access.filter(type -> type.equals("ALL") || type.equals("index")).isPresent();
    }

    /** Whether it would find the least or greatest values in an index, or each value once, without reading what is between them. */
    public boolean skipsRows()
    {
        return notes().anyMatch(note -> note.equals("Select tables optimized away") || note.equals("Using index for group-by"));
    }

    /** Whether it would keep groups or sort rows, because it does not read the rows of one group after another. */
    public boolean keepsGroups()
    {
        return notes().anyMatch(note -> note.equals("Using temporary") || note.equals("Using filesort"));
    }

    /** Whether it would read all rows in the order of an index, and look each of them up in the table. */
    public boolean looksUpAllRows()
    {
        return access.filter("index"::equals).isPresent() && looksRowsUp();
    }

    /** Whether what it finds in an index leads it to rows elsewhere. */
    boolean looksRowsUp()
    {
        return index.filter(PRIMARY::equals).isEmpty() && !isCovering();
    }

    private Stream<String> notes()
    {
        return Splitter.on(';').trimResults().splitToStream(extra);
    }
}
