package io.mysqlpq.trino.operations;

import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ReturnTypeSpecification.DescribedTable;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** Declares one table function of the schema {@code system}. Its rows come from {@link OperationRows}. */
final class OperationFunction
        extends AbstractConnectorTableFunction
{
    static final String SCHEMA = "system";

    private final Analysis analysis;

    OperationFunction(String name, List<ScalarArgumentSpecification> arguments, List<ResultColumn> columns, Analysis analysis)
    {
        super(SCHEMA, name, List.copyOf(arguments), new DescribedTable(ResultColumn.descriptor(columns)));
        this.analysis = requireNonNull(analysis, "analysis is null");
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        return TableFunctionAnalysis.builder()
                .handle(analysis.handle(session, arguments, accessControl))
                .build();
    }

    /** Checks the arguments of a call, on the coordinator, before the query runs. */
    interface Analysis
    {
        OperationHandle handle(ConnectorSession session, Map<String, Argument> arguments, ConnectorAccessControl accessControl);
    }
}
