package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.mysqlpq.trino.connection.ConnectionConfig;
import io.mysqlpq.trino.doctor.Doctor;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/** Binds table functions and procedures for those who run the servers. */
public final class OperationsModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(TableRanges.class).in(Scopes.SINGLETON);
        binder.bind(RunningScans.class).in(Scopes.SINGLETON);
        binder.bind(ServerFindings.class).in(Scopes.SINGLETON);
        binder.bind(OperationFunctions.class).in(Scopes.SINGLETON);
        Multibinder<ConnectorTableFunction> functions = newSetBinder(binder, ConnectorTableFunction.class);
        functions.addBinding().toProvider(RangesFunction.class).in(Scopes.SINGLETON);
        functions.addBinding().toProvider(CountersFunction.class).in(Scopes.SINGLETON);
        functions.addBinding().toProvider(SnapshotPositionFunction.class).in(Scopes.SINGLETON);
        functions.addBinding().toInstance(new OperationFunction("running_scans", ImmutableList.of(), RunningScans.COLUMNS, (_, _, _) -> new OperationHandle.RunningScans()));
        functions.addBinding().toInstance(new OperationFunction("doctor", ImmutableList.of(), ServerFindings.COLUMNS, (_, _, _) -> new OperationHandle.Doctor()));
        binder.bind(FlushPlanningCacheProcedure.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Procedure.class).addBinding().toProvider(FlushPlanningCacheProcedure.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    static Doctor doctor(ConnectionConfig config)
    {
        return new Doctor(config.getMaxConnectionsPerServer());
    }
}
