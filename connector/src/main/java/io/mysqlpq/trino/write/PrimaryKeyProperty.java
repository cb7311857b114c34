package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.trino.plugin.jdbc.TablePropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;

/** Declares the table property that names the columns of a table's primary key. */
public class PrimaryKeyProperty
        implements TablePropertiesProvider
{
    private static final String PRIMARY_KEY = "primary_key";
    private static final Map<String, Object> KEY_COLUMN = ImmutableMap.of(PRIMARY_KEY, true);

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public PrimaryKeyProperty()
    {
        properties = ImmutableList.of(new PropertyMetadata<>(
                PRIMARY_KEY,
                "Columns of the primary key, in its order",
                new ArrayType(VARCHAR),
                List.class,
                ImmutableList.of(),
                false,
                List.class::cast,
                value -> value));
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return properties;
    }

    static Map<String, Object> toProperties(List<String> key)
    {
        return ImmutableMap.of(PRIMARY_KEY, key);
    }

    static List<String> of(Map<String, Object> properties)
    {
        return ((List<?>) properties.getOrDefault(PRIMARY_KEY, ImmutableList.of())).stream()
                .map(name -> ((String) name).toLowerCase(ENGLISH))
                .collect(toImmutableList());
    }

    static boolean isKeyColumn(ColumnMetadata column)
    {
        return column.getProperties().equals(KEY_COLUMN);
    }

    /** Marks the key's columns, which are NOT NULL. */
    static ConnectorTableMetadata withKeyColumns(ConnectorTableMetadata table)
    {
        List<String> key = of(table.getProperties());
        checkColumns(table, key);
        return new ConnectorTableMetadata(
                table.getTable(),
                table.getColumns().stream().map(column -> key.contains(column.getName()) ? keyColumn(column) : column).collect(toImmutableList()),
                table.getProperties(),
                table.getComment());
    }

    private static void checkColumns(ConnectorTableMetadata table, List<String> key)
    {
        Set<String> columns = table.getColumns().stream().map(ColumnMetadata::getName).collect(toImmutableSet());
        for (String name : key) {
            if (!columns.contains(name)) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "Column '%s' specified in property '%s' doesn't exist in table %s: its columns are %s".formatted(name, PRIMARY_KEY, table.getTable(), columns));
            }
        }
    }

    private static ColumnMetadata keyColumn(ColumnMetadata column)
    {
        return ColumnMetadata.builderFrom(column).setNullable(false).setProperties(KEY_COLUMN).build();
    }

    static ConnectorTableMetadata withoutKey(ConnectorTableMetadata table)
    {
        checkColumns(table, of(table.getProperties()));
        return new ConnectorTableMetadata(table.getTable(), table.getColumns(), ImmutableMap.of(), table.getComment());
    }
}
