package io.mysqlpq.trino.cells;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Refuses what is no compressed batch. TestSlowLinks reads those of the extension. */
class TestCompressedBatches
{
    @Test
    void testMalformed()
    {
        assertRefused(0, new byte[20], "has 0 bytes when it is decompressed");
        assertRefused(-1, new byte[20], "has -1 bytes when it is decompressed");
        assertRefused(100 << 20, new byte[20], "bytes when it is decompressed");
        assertRefused(1000, new byte[0], "decompressed");
        // A literal of 15 bytes, of which there are none.
        assertRefused(1000, new byte[] {(byte) 0xF0, 0}, "decompressed");
        // One byte, where there should be more.
        assertRefused(1000, new byte[] {0x10, 'x'}, "has 1 bytes when it is decompressed, not 1000");
        // It is decompressed, and is no batch.
        assertRefused(1, new byte[] {0x10, 'x'}, "has 1 bytes");
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
