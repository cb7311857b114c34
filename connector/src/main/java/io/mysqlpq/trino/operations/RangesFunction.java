package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.airlift.slice.Slice;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/** Declares {@code ranges(schema_name, table_name, index_name, degree)}. */
final class RangesFunction
        implements Provider<ConnectorTableFunction>
{
    private static final String SCHEMA_NAME = "SCHEMA_NAME";
    private static final String TABLE_NAME = "TABLE_NAME";
    private static final String INDEX_NAME = "INDEX_NAME";
    private static final String DEGREE = "DEGREE";
    // As INFORMATION_SCHEMA.MYSQL_PQ_RANGES has it.
    private static final long DEFAULT_DEGREE = 16;
    private static final long MOST_RANGES = 4096;

    private final JdbcClient client;

    @Inject
    RangesFunction(JdbcClient client)
    {
        this.client = requireNonNull(client, "client is null");
    }

    @Override
    public ConnectorTableFunction get()
    {
        List<ScalarArgumentSpecification> arguments = ImmutableList.of(
                ScalarArgumentSpecification.builder().name(SCHEMA_NAME).type(VARCHAR).build(),
                ScalarArgumentSpecification.builder().name(TABLE_NAME).type(VARCHAR).build(),
                ScalarArgumentSpecification.builder().name(DEGREE).type(BIGINT).defaultValue(DEFAULT_DEGREE).build(),
                ScalarArgumentSpecification.builder().name(INDEX_NAME).type(VARCHAR).defaultValue(null).build());
        return new OperationFunction("ranges", arguments, TableRanges.COLUMNS, this::handle);
    }

    private OperationHandle handle(ConnectorSession session, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        SchemaTableName name = new SchemaTableName(required(arguments, SCHEMA_NAME), required(arguments, TABLE_NAME));
        int degree = degree(arguments);
        Optional<String> index = text(arguments, INDEX_NAME);
        RemoteTableName table = client.getTableHandle(session, name)
                .map(JdbcTableHandle::getRequiredNamedRelation)
                .orElseThrow(() -> new TableNotFoundException(name))
                .getRemoteTableName();
        List<JdbcColumnHandle> columns = client.getColumns(session, name, table);
        checkAccess(accessControl, name, columns);
        return new OperationHandle.Ranges(table.getCatalogName().orElseThrow(), table.getTableName(), index, degree, columns.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableSet()));
    }

    // Boundaries are values of rows. MySQL may know many of Trino's users as one account, so this shows nothing that Trino hides or masks.
    private static void checkAccess(ConnectorAccessControl accessControl, SchemaTableName name, List<JdbcColumnHandle> handles)
    {
        List<ColumnSchema> columns = handles.stream().map(JdbcColumnHandle::getColumnSchema).toList();
        Set<String> names = columns.stream().map(ColumnSchema::getName).collect(toImmutableSet());
        accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), names);
        if (!accessControl.getRowFilters(null, name).isEmpty() || !accessControl.getColumnMasks(null, name, columns).isEmpty()) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "The ranges of table %s cannot be shown, because Trino filters or masks its rows for this user. Ask as a user who may see all rows".formatted(name));
        }
    }

    private static int degree(Map<String, Argument> arguments)
    {
        Long degree = (Long) ((ScalarArgument) arguments.get(DEGREE)).getValue();
        if (degree == null || degree < 1 || degree > MOST_RANGES) {
            throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "DEGREE must be between 1 and %s: %s".formatted(MOST_RANGES, degree));
        }
        return degree.intValue();
    }

    private static String required(Map<String, Argument> arguments, String name)
    {
        return text(arguments, name).orElseThrow(() -> new TrinoException(INVALID_FUNCTION_ARGUMENT, "%s must be given".formatted(name)));
    }

    private static Optional<String> text(Map<String, Argument> arguments, String name)
    {
        return Optional.ofNullable((Slice) ((ScalarArgument) arguments.get(name)).getValue()).map(Slice::toStringUtf8).filter(text -> !text.isEmpty());
    }
}
