package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;

import java.util.Optional;

import static java.util.Locale.ENGLISH;

/** Maps the types that the stock connector hides or maps to something else, if the session has extended types. */
public final class ExtendedTypes
{
    private ExtendedTypes()
    {}

    /** Empty for types of which there is no extended mapping. */
    public static Optional<ColumnMapping> toColumnMapping(JdbcTypeHandle handle)
    {
        return switch (handle.jdbcTypeName().orElse("").toLowerCase(ENGLISH)) {
            case "set" -> Optional.of(SetMapping.columnMapping());
            case "year" -> Optional.of(YearMapping.columnMapping());
            case "geometry" -> Optional.of(GeometryMapping.columnMapping());
            case "vector" -> Optional.of(VectorMapping.columnMapping());
            case "bit" -> handle.columnSize().filter(bits -> bits > 1).map(BitMapping::columnMapping);
            default -> Optional.empty();
        };
    }
}
