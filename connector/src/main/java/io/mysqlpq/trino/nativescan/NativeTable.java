package io.mysqlpq.trino.nativescan;

import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyEncoding;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;
import java.util.Locale;

/** Tells what of a table the extension can read itself. */
public final class NativeTable
{
    private NativeTable()
    {}

    /** Whether it reads rows by the index, and SQL can go on behind one of them. */
    public static boolean isReadBy(IndexKey key)
    {
        return key.clustered()
                && key.index().equals(IndexKey.PRIMARY)
                && key.columnsReadByRange() == key.columns().size()
                && key.columns().stream().noneMatch(column -> column.prefixLength().isPresent() || column.encoding() == KeyEncoding.DOUBLE);
    }

    /** Whether cells of the column are in the record itself as a rule. Others MySQL itself has to fetch, and all of them would be sent. */
    public static boolean isInRecord(JdbcColumnHandle column)
    {
        String name = column.getJdbcTypeHandle().jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH);
        return name.startsWith("TINY") || !(name.contains("TEXT") || name.contains("BLOB"));
    }

    /** Whether it can read these columns of the rows that the table's filters leave, as far as types tell. */
    public static boolean reads(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return table.isNamedRelation()
                && table.getLimit().isEmpty()
                && table.getSortOrder().isEmpty()
                && columns.stream().allMatch(column -> NativeLayout.of(column.getJdbcTypeHandle(), column.getColumnType()).isPresent())
                && NativeFilters.all(table).isPresent();
    }
}
