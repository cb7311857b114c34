package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.BatchDecoder;

import java.nio.ByteBuffer;
import java.util.Random;

/** Makes values of one column as the extension sends them, and makes a block of them. */
enum BatchColumn
{
    TINYINT(1, BatchBlocks::bytes)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.put((byte) random.nextInt());
        }
    },
    SMALLINT(2, BatchBlocks::shorts)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putShort((short) random.nextInt());
        }
    },
    INTEGER(3, BatchBlocks::ints)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putInt(random.nextInt());
        }
    },
    BIGINT(4, BatchBlocks::longs)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putLong(random.nextLong());
        }
    },
    DECIMAL_38_3(5, BatchBlocks::longDecimals)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putLong(random.nextLong()).putLong(random.nextInt());
        }
    },
    DATE(3, BatchBlocks::dates)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putInt(random.nextInt(30_000));
        }
    },
    DATETIME_6(4, BatchBlocks::timestamps)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putLong(random.nextLong(2_000_000_000_000_000L));
        }
    },
    TIMESTAMP_3(4, BatchBlocks::shortInstants)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putLong(random.nextLong(2_000_000_000_000L) * 1000);
        }
    },
    TIMESTAMP_6(4, BatchBlocks::longInstants)
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            out.putLong(random.nextLong(2_000_000_000_000_000L));
        }
    },
    VARCHAR(6, BatchBlocks.texts(Integer.MAX_VALUE))
    {
        @Override
        void put(ByteBuffer out, Random random)
        {
            throw new UnsupportedOperationException("Texts have no fixed width");
        }
    };

    private final int layout;
    private final BatchDecoder decoder;

    BatchColumn(int layout, BatchDecoder decoder)
    {
        this.layout = layout;
        this.decoder = decoder;
    }

    /** Returns the format's number of the layout. */
    int layout()
    {
        return layout;
    }

    BatchDecoder decoder()
    {
        return decoder;
    }

    abstract void put(ByteBuffer out, Random random);
}
