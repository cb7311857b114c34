package io.mysqlpq.trino.cells;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import jakarta.annotation.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.sql.SQLException;

/**
 * Decompresses batches, one at a time.
 *
 * <p>Source: server-udf/src/scan/batch_compression.h.
 */
public final class CompressedBatches
{
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    // "MPQZ"
    private static final int MAGIC = 0x5A51504D;
    private static final int HEADER = 8;
    // A client may ask for batches of 64 MB, and they may be half a megabyte larger.
    private static final int MOST_BYTES = 65 << 20;

    // Made with the first batch, since most scans have none.
    @Nullable
    private ZstdDecompressor decompressor;
    private byte[] room = new byte[0];
    private long saved;

    public static boolean isCompressed(byte[] buffer, int offset, int length)
    {
        return length >= HEADER && MemorySegment.ofArray(buffer).get(INT, offset) == MAGIC;
    }

    /** Returns the batch, which is good until the next one is decompressed. */
    public ColumnBatch decompress(byte[] buffer, int offset, int length, int columns)
            throws SQLException
    {
        int size = MemorySegment.ofArray(buffer).get(INT, offset + Integer.BYTES);
        if (size <= 0 || size > MOST_BYTES) {
            throw ColumnBatch.malformed("has %d bytes when it is decompressed".formatted(size));
        }
        if (decompressor == null) {
            decompressor = ZstdDecompressor.create();
        }
        if (room.length < size) {
            room = new byte[size];
        }
        try {
            int decompressed = decompressor.decompress(buffer, offset + HEADER, length - HEADER, room, 0, size);
            if (decompressed != size) {
                throw ColumnBatch.malformed("has %d bytes when it is decompressed, not %d".formatted(decompressed, size));
            }
        }
        // The native library throws the second one.
        catch (MalformedInputException | IllegalArgumentException e) {
            throw ColumnBatch.malformed("cannot be decompressed: " + e.getMessage());
        }
        saved += size - length;
        return ColumnBatch.of(room, 0, size, columns);
    }

    /** Bytes that the network did not carry. */
    public long saved()
    {
        return saved;
    }

    public long retainedBytes()
    {
        return room.length;
    }
}
