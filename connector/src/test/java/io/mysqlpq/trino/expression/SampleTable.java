package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static java.util.stream.Collectors.joining;

/** Has random values of all types, with NULL and extremes among them. */
final class SampleTable
{
    record Column(String name, Type type)
    {}

    static final List<Column> COLUMNS = ImmutableList.of(
            new Column("t1", TINYINT),
            new Column("t2", TINYINT),
            new Column("s1", SMALLINT),
            new Column("s2", SMALLINT),
            new Column("i1", INTEGER),
            new Column("i2", INTEGER),
            new Column("b1", BIGINT),
            new Column("b2", BIGINT),
            new Column("n1", createDecimalType(3, 1)),
            new Column("n2", createDecimalType(12, 2)),
            new Column("n3", createDecimalType(18, 6)),
            new Column("n4", createDecimalType(18, 0)),
            new Column("n5", createDecimalType(20, 0)),
            new Column("n6", createDecimalType(30, 10)),
            new Column("n7", createDecimalType(38, 4)),
            new Column("n8", createDecimalType(38, 38)),
            new Column("d1", DATE),
            new Column("d2", DATE),
            new Column("m0", createTimestampType(0)),
            new Column("m3", createTimestampType(3)),
            new Column("m6", createTimestampType(6)),
            new Column("q1", BOOLEAN),
            new Column("q2", BOOLEAN),
            new Column("v1", createVarcharType(8)),
            new Column("v2", createVarcharType(20)),
            new Column("v3", VARCHAR),
            new Column("c1", createCharType(4)),
            new Column("c2", createCharType(4)));

    private static final List<String> CHARACTERS = ImmutableList.of("a", "b", "a", "A", "%", "_", " ", "\\", "ä", "€", "😀", "1");
    private static final long FIRST_DAY = LocalDate.of(0, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private final Random random;

    SampleTable(Random random)
    {
        this.random = random;
    }

    static Map<String, ColumnHandle> assignments()
    {
        JdbcTypeHandle handle = new JdbcTypeHandle(Types.OTHER, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        return COLUMNS.stream().collect(toImmutableMap(Column::name, column -> new JdbcColumnHandle(column.name(), handle, column.type())));
    }

    static int channel(String name)
    {
        return IntStream.range(0, COLUMNS.size()).filter(index -> COLUMNS.get(index).name().equals(name)).findFirst().orElseThrow();
    }

    Page page(int rows)
    {
        return new Page(rows, COLUMNS.stream().map(column -> block(column.type(), rows)).toArray(Block[]::new));
    }

    private Block block(Type type, int rows)
    {
        BlockBuilder block = type.createBlockBuilder(null, rows);
        // Some rows have the same values in many columns.
        for (int row = 0; row < rows; row++) {
            writeNativeValue(type, block, random.nextInt(8) == 0 ? null : value(type));
        }
        return block.build();
    }

    /** A value as Trino's blocks hold it. */
    Object value(Type type)
    {
        return switch (type) {
            case DecimalType decimal -> {
                BigInteger unscaled = integer(Interval.ofDigits(decimal.getPrecision()));
                yield decimal.isShort() ? (Object) unscaled.longValueExact() : Int128.valueOf(unscaled);
            }
            case DateType _ -> day();
            case TimestampType timestamp -> {
                long unit = (long) Math.pow(10, 6 - timestamp.getPrecision());
                long time = random.nextLong(ValueType.MICROSECONDS_PER_DAY);
                // Some are midnight, and some half of a second or millisecond.
                time = switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> time - time % 1_000_000 + 500_000;
                    case 2 -> time - time % 1_000 + 500;
                    default -> time;
                };
                long micros = day() * ValueType.MICROSECONDS_PER_DAY + time;
                yield micros - Math.floorMod(micros, unit);
            }
            case VarcharType varchar -> text(varchar.getLength().orElse(12));
            case CharType character -> utf8Slice(text(character.getLength()).toStringUtf8().stripTrailing());
            default -> type.equals(BOOLEAN) ? (Object) random.nextBoolean() : integer(ValueType.interval(type)).longValueExact();
        };
    }

    private BigInteger integer(Interval interval)
    {
        return switch (random.nextInt(12)) {
            case 0 -> interval.low();
            case 1 -> interval.high();
            case 2 -> BigInteger.ZERO;
            case 3 -> BigInteger.valueOf(random.nextInt(-1, 2));
            case 4, 5 -> clamp(BigInteger.valueOf(random.nextInt(-20, 21)), interval);
            // Halves of larger units.
            case 6, 7 -> clamp(BigInteger.TEN.pow(random.nextInt(interval.high().toString().length())).multiply(BigInteger.valueOf(random.nextInt(-20, 21) * 5L)), interval);
            default -> clamp(new BigInteger(random.nextInt(interval.high().bitLength() + 1), random).multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)), interval);
        };
    }

    private static BigInteger clamp(BigInteger value, Interval interval)
    {
        return value.max(interval.low()).min(interval.high());
    }

    private long day()
    {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong(FIRST_DAY, LAST_DAY + 1);
            case 1 -> random.nextBoolean() ? FIRST_DAY : LAST_DAY;
            // Ends of months.
            case 2 -> LocalDate.of(random.nextInt(1890, 2110), random.nextInt(1, 13), 1).toEpochDay() - random.nextInt(2);
            case 3 -> LocalDate.of(random.nextInt(1, 101) * 100 - random.nextInt(1, 5), 3, 1).toEpochDay() - random.nextInt(3);
            default -> random.nextLong(-3650, 25_000);
        };
    }

    private Slice text(int length)
    {
        int characters = random.nextInt(4) == 0 ? length : random.nextInt(length + 1);
        return utf8Slice(IntStream.range(0, Math.min(characters, random.nextInt(13))).mapToObj(_ -> CHARACTERS.get(random.nextInt(CHARACTERS.size()))).collect(joining()));
    }

    /** A constant of SQL. */
    String literal(Type type)
    {
        return literal(type, value(type));
    }

    static String literal(Type type, Object value)
    {
        if (value == null) {
            return "CAST(NULL AS %s)".formatted(type.getDisplayName());
        }
        return switch (type) {
            case DecimalType decimal -> "CAST(DECIMAL '%s' AS %s)".formatted(decimal(decimal, value).toPlainString(), type.getDisplayName());
            case DateType _ -> "CAST('%s' AS DATE)".formatted(LocalDate.ofEpochDay((long) value));
            case TimestampType timestamp -> "CAST('%s' AS %s)".formatted(timestamp((long) value).format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS")), timestamp.getDisplayName());
            case VarcharType _,CharType _ -> "CAST('%s' AS %s)".formatted(((Slice) value).toStringUtf8().replace("'", "''"), type.getDisplayName());
            default -> "CAST(%s AS %s)".formatted(value instanceof Long number ? "DECIMAL '" + number + "'" : value, type.getDisplayName());
        };
    }

    static BigDecimal decimal(DecimalType type, Object value)
    {
        return new BigDecimal(value instanceof Int128 wide ? wide.toBigInteger() : BigInteger.valueOf((long) value), type.getScale());
    }

    static LocalDateTime timestamp(long micros)
    {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), (int) Math.floorMod(micros, 1_000_000L) * 1000, ZoneOffset.UTC);
    }

    List<String> names(Type type)
    {
        List<String> names = new ArrayList<>();
        COLUMNS.stream().filter(column -> column.type().equals(type)).forEach(column -> names.add(column.name()));
        return names;
    }
}
