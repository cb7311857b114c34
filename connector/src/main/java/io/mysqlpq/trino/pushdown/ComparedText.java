package io.mysqlpq.trino.pushdown;

import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.type.CharType;
import io.trino.spi.type.VarcharType;

import java.util.List;

/**
 * Writes text columns so that MySQL compares them as Trino does, whatever their collation.
 *
 * <p>The collation utf8mb4_0900_bin compares code points. That is the order of UTF-8's bytes, and so Trino's. It treats spaces at the end
 * like other characters. The collation utf8mb4_bin ignores them, as Trino does in CHAR.
 */
public final class ComparedText
{
    private static final String EXACT = "utf8mb4_0900_bin";
    private static final String EXACT_PADDED = "utf8mb4_bin";

    // MySQL's sort buffer, of 256 KB unless set, has to hold some whole texts, of four bytes a character.
    private static final long MOST_CHARACTERS_SORTED = 2000;

    private ComparedText()
    {}

    /** Whether the column's own collation compares as Trino does, so that MySQL can use its indexes. */
    public static boolean hasExactCollation(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof VarcharType
                && !TextCollation.isEnumeration(column.getJdbcTypeHandle())
                && TextCollation.of(column.getJdbcTypeHandle()).map(TextCollation::name).filter(EXACT::equals).isPresent();
    }

    /** Whether MySQL computes with the column's own bytes, and not with a copy in another character set. */
    static boolean isUtf8(JdbcColumnHandle column)
    {
        return TextCollation.of(column.getJdbcTypeHandle()).filter(TextCollation::isUtf8).isPresent();
    }

    /** Whether MySQL's sort buffer has room for these columns. Texts enter it in whole, except CHAR. */
    public static boolean areSortable(List<JdbcColumnHandle> columns)
    {
        return columns.stream().mapToLong(ComparedText::mostCharacters).sum() <= MOST_CHARACTERS_SORTED;
    }

    private static long mostCharacters(JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case VarcharType type -> type.getLength().orElse(Integer.MAX_VALUE);
            case CharType type -> type.getLength();
            default -> 0;
        };
    }

    /** Writes a column for comparisons and for least and greatest values. Leaves a column that is not text as it is. */
    public static String comparable(String quoted, JdbcColumnHandle column)
    {
        return collated(quoted, column, column.getColumnType() instanceof CharType ? EXACT_PADDED : EXACT);
    }

    /** Writes a column for grouping. */
    public static String groupable(String quoted, JdbcColumnHandle column)
    {
        return collated(quoted, column, EXACT);
    }

    /** Writes a column for sorting. MySQL sorts by only a prefix of strings that it pads itself (max_sort_length). */
    public static String sortable(String quoted, JdbcColumnHandle column)
    {
        return TextCollation.isText(column) && column.getColumnType() instanceof CharType type
                ? "RPAD(CONVERT(%s USING utf8mb4), %d, ' ') COLLATE %s".formatted(quoted, type.getLength(), EXACT)
                : collated(quoted, column, EXACT);
    }

    private static String collated(String quoted, JdbcColumnHandle column, String collation)
    {
        if (hasExactCollation(column) || !TextCollation.isText(column)) {
            return quoted;
        }
        boolean isString = isUtf8(column) && !TextCollation.isEnumeration(column.getJdbcTypeHandle());
        return "%s COLLATE %s".formatted(isString ? quoted : "CONVERT(%s USING utf8mb4)".formatted(quoted), collation);
    }
}
