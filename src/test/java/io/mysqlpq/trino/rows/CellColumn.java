package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.CalendarCells;
import io.mysqlpq.trino.cells.DecimalCells;
import io.mysqlpq.trino.cells.FloatCells;
import io.mysqlpq.trino.cells.IntegerCells;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.cells.TextCells;

import java.util.Random;

import static io.trino.spi.type.DecimalType.createDecimalType;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Makes cells of one column as MySQL sends them, and decodes them. */
enum CellColumn
{
    TINYINT(IntegerCells::tinyints)
    {
        @Override
        String cell(Random random)
        {
            return Integer.toString(random.nextInt(-128, 128));
        }
    },
    SMALLINT(IntegerCells::smallints)
    {
        @Override
        String cell(Random random)
        {
            return Integer.toString(random.nextInt(-32768, 32768));
        }
    },
    INTEGER(IntegerCells::integers)
    {
        @Override
        String cell(Random random)
        {
            return Integer.toString(random.nextInt());
        }
    },
    BIGINT(IntegerCells::bigints)
    {
        @Override
        String cell(Random random)
        {
            return Long.toString(random.nextLong());
        }
    },
    DECIMAL_12_2(DecimalCells.decoder(createDecimalType(12, 2)))
    {
        @Override
        String cell(Random random)
        {
            return "%d.%02d".formatted(random.nextLong(10_000_000_000L), random.nextInt(100));
        }
    },
    DECIMAL_38_3(DecimalCells.decoder(createDecimalType(38, 3)))
    {
        @Override
        String cell(Random random)
        {
            return "-%d%018d.%03d".formatted(1 + random.nextLong(10_000_000_000L), random.nextLong(1_000_000_000_000_000_000L), random.nextInt(1000));
        }
    },
    DOUBLE(FloatCells::doubles)
    {
        @Override
        String cell(Random random)
        {
            return Double.toString(random.nextInt(1_000_000) / 8.0);
        }
    },
    REAL(FloatCells::reals)
    {
        @Override
        String cell(Random random)
        {
            return Float.toString(random.nextInt(100_000) / 8F);
        }
    },
    DATE(CalendarCells::dates)
    {
        @Override
        String cell(Random random)
        {
            return date(random);
        }
    },
    DATETIME_6(CalendarCells.timestamps(6))
    {
        @Override
        String cell(Random random)
        {
            return dateAndTime(random);
        }
    },
    TIMESTAMP_6(CalendarCells.longInstants(6))
    {
        @Override
        String cell(Random random)
        {
            return dateAndTime(random);
        }
    },
    VARCHAR(TextCells.texts(255))
    {
        @Override
        String cell(Random random)
        {
            return text(random);
        }
    },
    CHAR(TextCells.paddedTexts(60))
    {
        @Override
        String cell(Random random)
        {
            return text(random);
        }
    },
    VARBINARY(TextCells::bytes)
    {
        @Override
        String cell(Random random)
        {
            return text(random);
        }
    };

    private final PacketDecoder decoder;

    CellColumn(PacketDecoder decoder)
    {
        this.decoder = decoder;
    }

    abstract String cell(Random random);

    PacketDecoder decoder()
    {
        return decoder;
    }

    byte[] bytes(Random random)
    {
        return cell(random).getBytes(UTF_8);
    }

    private static String date(Random random)
    {
        return "%04d-%02d-%02d".formatted(random.nextInt(1970, 2038), random.nextInt(1, 13), random.nextInt(1, 29));
    }

    private static String dateAndTime(Random random)
    {
        return "%s %02d:%02d:%02d.%06d".formatted(date(random), random.nextInt(24), random.nextInt(60), random.nextInt(60), random.nextInt(1_000_000));
    }

    private static String text(Random random)
    {
        return "x".repeat(random.nextInt(8, 40));
    }
}
