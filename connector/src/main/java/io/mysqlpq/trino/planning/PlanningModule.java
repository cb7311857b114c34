package io.mysqlpq.trino.planning;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;
import io.mysqlpq.trino.planning.sql.SqlRanges;
import io.mysqlpq.trino.planning.sql.SqlRangesConfig;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds what chooses how scans are read and cuts them into ranges. */
public final class PlanningModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(PlanningConfig.class);
        configBinder(binder).bindConfig(SqlRangesConfig.class);
        bindSessionPropertiesProvider(binder, PlanningSessionProperties.class);
        binder.bind(FallbackReporter.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, FallbackReporter.class);
        binder.bind(SqlRanges.class).in(Scopes.SINGLETON);
        binder.bind(ScanExplainer.class).in(Scopes.SINGLETON);
        binder.bind(StableRanges.class).in(Scopes.SINGLETON);
        binder.bind(ExtensionRangePlanner.class).in(Scopes.SINGLETON);
        binder.bind(SqlRangePlanner.class).in(Scopes.SINGLETON);
        binder.bind(HypergraphOptimizer.class).in(Scopes.SINGLETON);
        binder.bind(CutPlanner.class).in(Scopes.SINGLETON);
        binder.bind(PlanningSessions.class).in(Scopes.SINGLETON);
        binder.bind(FactReader.class).in(Scopes.SINGLETON);
        binder.bind(ScanPlanner.class).in(Scopes.SINGLETON);
        binder.bind(RangePlanner.class).in(Scopes.SINGLETON);
    }
}
