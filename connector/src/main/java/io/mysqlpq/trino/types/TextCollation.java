package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.CharType;
import io.trino.spi.type.VarcharType;

import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Names the collation that a text column has in MySQL.
 *
 * <p>It travels behind the name of the column's type, as in "VARCHAR COLLATE latin1_bin": base-jdbc's handles have no
 * other place for it.
 */
public record TextCollation(String name)
{
    private static final String SEPARATOR = " COLLATE ";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+_[a-z0-9_]+");
    private static final ImmutableSet<String> TYPES = ImmutableSet.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set");

    // In these character sets no two texts become the same text in Unicode. In big5, cp932, sjis, ujis, eucjpms, armscii8 and tis620 some texts do.
    // The list leaves out gb18030: one of its collations has no order in MySQL's indexes.
    private static final ImmutableSet<String> FAITHFUL = ImmutableSet.of(
            "utf8mb4", "utf8mb3", "utf16", "utf16le", "utf32", "ascii", "latin1", "latin2", "latin5", "latin7",
            "cp850", "cp852", "cp866", "keybcs2", "koi8r", "koi8u", "macce", "macroman");
    // These character sets have codes without a character, which all become a question mark. Otherwise they are faithful too.
    private static final ImmutableSet<String> FAITHFUL_BUT_FOR_GAPS = ImmutableSet.of(
            "cp1250", "cp1251", "cp1256", "cp1257", "dec8", "euckr", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8", "swe7");
    private static final String GAP = "?";

    public TextCollation
    {
        requireNonNull(name, "name is null");
    }

    /** The type with its collation, if it is a text type, and as it is otherwise. */
    public static JdbcTypeHandle addTo(JdbcTypeHandle type, String collation)
    {
        return isTextType(type) && NAME.matcher(collation).matches() ? withName(type, type.jdbcTypeName().orElseThrow() + SEPARATOR + collation) : type;
    }

    /** The type as MySQL calls it. */
    public static JdbcTypeHandle removeFrom(JdbcTypeHandle type)
    {
        return of(type).isPresent() ? withName(type, typeName(type)) : type;
    }

    private static JdbcTypeHandle withName(JdbcTypeHandle type, String name)
    {
        return new JdbcTypeHandle(type.jdbcType(), Optional.of(name), type.columnSize(), type.decimalDigits(), type.arrayDimensions(), type.caseSensitivity());
    }

    /** Whether base-jdbc's CHAR and VARCHAR of it are the text that MySQL compares. */
    public static boolean isTextType(JdbcTypeHandle type)
    {
        return TYPES.contains(typeName(type).toLowerCase(ENGLISH)) && !mayHoldHalves(type);
    }

    /** Whether the column is such text, and Trino reads it as text. */
    public static boolean isText(JdbcColumnHandle column)
    {
        return (column.getColumnType() instanceof VarcharType || column.getColumnType() instanceof CharType) && isTextType(column.getJdbcTypeHandle());
    }

    // Whether the type is ENUM or SET. MySQL sorts its values in the order of the definition.
    public static boolean isEnumeration(JdbcTypeHandle type)
    {
        return typeName(type).equalsIgnoreCase("enum") || typeName(type).equalsIgnoreCase("set");
    }

    static String typeName(JdbcTypeHandle type)
    {
        String name = type.jdbcTypeName().orElse("");
        int end = name.indexOf(SEPARATOR);
        return end < 0 ? name : name.substring(0, end);
    }

    public static Optional<TextCollation> of(JdbcTypeHandle type)
    {
        String name = type.jdbcTypeName().orElse("");
        int end = name.indexOf(SEPARATOR);
        return end < 0 ? Optional.empty() : Optional.of(new TextCollation(name.substring(end + SEPARATOR.length())));
    }

    private String charset()
    {
        return name.substring(0, name.indexOf('_'));
    }

    /** Whether MySQL keeps halves of characters there, which Trino sees as something else. */
    public static boolean mayHoldHalves(JdbcTypeHandle type)
    {
        return of(type).filter(collation -> collation.charset().equals("ucs2")).isPresent();
    }

    /** Whether its characters may be halves of others to the extension, of which SQL makes something else. */
    static boolean mayBeReadInHalves(JdbcTypeHandle type)
    {
        return of(type).filter(collation -> collation.charset().equals("ucs2") || collation.charset().equals("utf32")).isPresent();
    }

    public boolean isUtf8()
    {
        return charset().equals("utf8mb4");
    }

    /**
     * Returns what to compare the column with, in place of a parameter. The comparison finds at least the rows that Trino takes for equal
     * to one of the values, by an index if there is one. Empty if it would miss some.
     */
    public Optional<String> likeness(Collection<String> values)
    {
        if (isUtf8()) {
            return Optional.of("?");
        }
        boolean faithful = FAITHFUL.contains(charset()) || (FAITHFUL_BUT_FOR_GAPS.contains(charset()) && values.stream().noneMatch(value -> value.contains(GAP)));
        // Without the conversion MySQL would refuse values that the character set has not.
        return faithful ? Optional.of("CONVERT(? USING %s) COLLATE %s".formatted(charset(), name)) : Optional.empty();
    }
}
