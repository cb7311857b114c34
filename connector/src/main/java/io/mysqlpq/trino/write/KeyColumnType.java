package io.mysqlpq.trino.write;

import io.trino.spi.TrinoException;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.util.function.Supplier;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

/** Chooses MySQL's type of a primary key's column, where the usual one cannot be in a key. */
final class KeyColumnType
{
    // InnoDB's longest key has 3072 bytes, and a character at most four.
    private static final int LONGEST_TEXT = 768;

    private KeyColumnType()
    {}

    static boolean isPossible(Type type)
    {
        return switch (type) {
            case VarcharType varchar -> !varchar.isUnbounded() && varchar.getBoundedLength() <= LONGEST_TEXT;
            case VarbinaryType _ -> false;
            default -> true;
        };
    }

    static String of(String column, Type type, Supplier<String> usual)
    {
        return switch (type) {
            case VarcharType varchar when isPossible(varchar) -> "varchar(%d)".formatted(varchar.getBoundedLength());
            case VarcharType _,VarbinaryType _ -> throw new TrinoException(
                    NOT_SUPPORTED,
                    "Column %s of the type %s cannot be in a primary key of MySQL: use VARCHAR(n) of at most %d characters".formatted(column, type.getDisplayName(), LONGEST_TEXT));
            default -> usual.get();
        };
    }
}
