package io.mysqlpq.cross.bench;

import io.airlift.slice.Slices;
import io.airlift.slice.XxHash64;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Computes over MySQL's rows what Trino answers to {@code SELECT count(*), checksum(a), checksum(b), ...}.
 */
final class RowDigest
{
    // Trino's checksum is the sum of the hashes of the stored values times this, as 8 bytes.
    private static final long FACTOR = 0x9E3779B185EBCA87L;

    private RowDigest()
    {}

    static Answer read(ResultSet results)
            throws SQLException
    {
        long[] sums = new long[results.getMetaData().getColumnCount()];
        long rows = 0;
        while (results.next()) {
            rows++;
            for (int column = 0; column < sums.length; column++) {
                sums[column] += hash(results.getObject(column + 1)) * FACTOR;
            }
        }
        List<Object> row = new ArrayList<>(List.of(rows));
        for (long sum : sums) {
            row.add(Answer.cell(ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(sum).array()));
        }
        return new Answer(ColumnSums.labels(sums.length + 1), List.of(row));
    }

    static long hash(Object value)
    {
        return switch (value) {
            case Integer number -> XxHash64.hash(number);
            case Long number -> XxHash64.hash(number);
            case BigDecimal number -> XxHash64.hash(number.unscaledValue().longValueExact());
            case Date date -> XxHash64.hash(date.toLocalDate().toEpochDay());
            case String text -> XxHash64.hash(Slices.utf8Slice(text));
            default -> throw new IllegalArgumentException("No checksum is known for values of " + value.getClass());
        };
    }
}
