package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.cells.TextCells;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.TrinoException;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.nio.charset.Charset;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.charReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.charWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharWriteFunction;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ENGLISH;

/** Describes CHAR, VARCHAR, the TEXT types and ENUM. */
final class MysqlText
        extends MysqlType
{
    private static final Set<com.mysql.cj.MysqlType> SENT = ImmutableSet.of(
            com.mysql.cj.MysqlType.CHAR,
            com.mysql.cj.MysqlType.VARCHAR,
            com.mysql.cj.MysqlType.TINYTEXT,
            com.mysql.cj.MysqlType.TEXT,
            com.mysql.cj.MysqlType.MEDIUMTEXT,
            com.mysql.cj.MysqlType.LONGTEXT,
            com.mysql.cj.MysqlType.ENUM);
    private static final PredicatePushdownController PUSHDOWN = new TextPushdown();
    private static final int MAX_CHAR_LENGTH = 255;

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.CHAR, Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return SENT;
    }

    @Override
    public String protocolName()
    {
        return "text";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        boolean isChar = handle.jdbcType() == Types.CHAR && !handle.jdbcTypeName().orElse("").equalsIgnoreCase("enum");
        return Optional.of(isChar ? charMapping(handle) : varcharMapping(handle));
    }

    static ColumnMapping charMapping(JdbcTypeHandle handle)
    {
        if (handle.requiredColumnSize() > CharType.MAX_LENGTH) {
            return varcharMapping(handle);
        }
        CharType type = CharType.createCharType(handle.requiredColumnSize());
        return ColumnMapping.sliceMapping(type, charReadFunction(type), charWriteFunction(), textPushdown(handle));
    }

    private static ColumnMapping varcharMapping(JdbcTypeHandle handle)
    {
        int length = handle.requiredColumnSize();
        VarcharType type = length > VarcharType.MAX_LENGTH ? VarcharType.createUnboundedVarcharType() : VarcharType.createVarcharType(length);
        return ColumnMapping.sliceMapping(type, varcharReadFunction(type), varcharWriteFunction(), textPushdown(handle));
    }

    private static PredicatePushdownController textPushdown(JdbcTypeHandle handle)
    {
        return TextCollation.isTextType(handle) ? PUSHDOWN : DISABLE_PUSHDOWN;
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return Optional.ofNullable(switch (type) {
            case CharType character -> charWriteMapping(character);
            case VarcharType varchar -> WriteMapping.sliceMapping(textType(varchar), varcharWriteFunction());
            default -> null;
        });
    }

    private static WriteMapping charWriteMapping(CharType type)
    {
        if (type.getLength() > MAX_CHAR_LENGTH) {
            throw new TrinoException(NOT_SUPPORTED, "Unsupported column type: %s. MySQL's CHAR has at most %d characters: use VARCHAR".formatted(type.getDisplayName(), MAX_CHAR_LENGTH));
        }
        return WriteMapping.sliceMapping("char(%d)".formatted(type.getLength()), charWriteFunction());
    }

    // A TEXT type's limit is in bytes and a varchar's length in code points: the stock connector's thresholds all the same.
    private static String textType(VarcharType type)
    {
        if (type.isUnbounded() || type.getBoundedLength() > 0xFF_FFFF) {
            return "longtext";
        }
        int length = type.getBoundedLength();
        if (length <= 0xFF) {
            return "tinytext";
        }
        return length <= 0xFFFF ? "text" : "mediumtext";
    }

    @Override
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this) || received.type().equals(MysqlTypes.SET);
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return packets(field, type);
    }

    static Optional<PacketDecoder> packets(Field field, Type type)
    {
        if (!SENT.contains(field.getMysqlType()) || !Charset.forName(field.getEncoding()).equals(UTF_8)) {
            return Optional.empty();
        }
        return Optional.ofNullable(switch (type) {
            case VarcharType varchar -> TextCells.texts(varchar.getLength().orElse(Integer.MAX_VALUE));
            case CharType character -> TextCells.paddedTexts(character.getLength());
            default -> null;
        });
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        String name = TextCollation.typeName(handle).toUpperCase(ENGLISH);
        if (TextCollation.mayBeReadInHalves(handle)) {
            return Optional.empty();
        }
        return Optional.ofNullable(switch (type) {
            case CharType character when name.equals("CHAR") -> new NativeColumn(NativeLayout.BYTES, BatchBlocks.texts(character.getLength()));
            case VarcharType varchar when name.equals("VARCHAR") || name.endsWith("TEXT") || (name.equals("ENUM") && TextCollation.of(handle).isPresent()) ->
                new NativeColumn(NativeLayout.BYTES, BatchBlocks.texts(varchar.getLength().orElse(Integer.MAX_VALUE)));
            default -> null;
        });
    }

    @Override
    public boolean isInRecord(JdbcTypeHandle handle)
    {
        String name = TextCollation.typeName(handle).toUpperCase(ENGLISH);
        return name.startsWith("TINY") || !name.endsWith("TEXT");
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return TextCollation.isText(column);
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return returnedText(type);
    }

    static Optional<ReturnedValue> returnedText(Type type)
    {
        return Optional.ofNullable(switch (type) {
            case CharType _ -> ReturnedValue.CHAR;
            case VarcharType _ -> ReturnedValue.TEXT;
            default -> null;
        });
    }
}
