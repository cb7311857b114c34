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
 * Tells how MySQL would read a table, as its EXPLAIN says.
 *
 * @param access empty if MySQL knows without reading that no row matches
 * @param index the index that MySQL would use; if it would use several, their names in one text
 * @param rows the rows that MySQL expects to look at
 * @param passing the share of these rows that MySQL expects to pass the filter, from 0 to 1
 * @param partitions names of those that MySQL would read; empty if the table has none
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

    /** Whether MySQL would read an index only, and none of the table's rows. */
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

    /** Whether MySQL would read a part of an index behind each value of the leading columns. MySQL does not know how many rows those are. */
    boolean isSkipScan()
    {
        return extra.contains("skip scan");
    }

    /** Whether it would read the whole table or index. */
    boolean isFullScan()
    {
        return access.filter(type -> type.equals("ALL") || type.equals("index")).isPresent();
    }

    /** Whether MySQL would find least or greatest values, or each value once, without reading what lies between them in the index. */
    public boolean skipsRows()
    {
        return notes().anyMatch(note -> note.equals("Select tables optimized away") || note.equals("Using index for group-by"));
    }

    /** Whether MySQL would keep groups or sort rows, because it does not read rows one group after another. */
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
