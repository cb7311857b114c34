package io.mysqlpq.trino.cells;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Refuses what is no compressed batch. TestSlowLinks reads those of the extension. */
class TestCompressedBatches
{
    // The magic number, a header that has the size, and one block, which is the last one and not compressed. Source: RFC 8878.
    private static final byte[] FRAME_OF_ONE_BYTE = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x20, 1, 0x09, 0, 0, 'x'};

    @Test
    void testMalformed()
    {
        assertRefused(0, new byte[20], "has 0 bytes when it is decompressed");
        assertRefused(-1, new byte[20], "has -1 bytes when it is decompressed");
        assertRefused(100 << 20, new byte[20], "bytes when it is decompressed");
        assertRefused(1000, new byte[0], "decompressed");
        assertRefused(1000, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, "cannot be decompressed");
        assertRefused(1000, Arrays.copyOf(FRAME_OF_ONE_BYTE, 9), "cannot be decompressed");
        // One byte, where there should be more.
        assertRefused(1000, FRAME_OF_ONE_BYTE, "has 1 bytes when it is decompressed, not 1000");
        // It is decompressed, and is no batch.
        assertRefused(1, FRAME_OF_ONE_BYTE, "has 1 bytes");
    }

    @Test
    void testMagic()
    {
        assertThat(CompressedBatches.isCompressed(batch(8, new byte[0]), 0, 8)).isTrue();
        assertThat(CompressedBatches.isCompressed("MPQB0000".getBytes(US_ASCII), 0, 8)).isFalse();
        assertThat(CompressedBatches.isCompressed("MPQZ".getBytes(US_ASCII), 0, 4)).isFalse();
    }

    private static void assertRefused(int size, byte[] block, String message)
    {
        byte[] batch = batch(size, block);
        assertThatThrownBy(() -> new CompressedBatches().decompress(batch, 0, batch.length, 1)).hasMessageContaining("The extension sent a column batch that").hasMessageContaining(message);
    }

    private static byte[] batch(int size, byte[] block)
    {
        return ByteBuffer.allocate(8 + block.length).order(ByteOrder.LITTLE_ENDIAN).put("MPQZ".getBytes(US_ASCII)).putInt(size).put(block).array();
    }
}
