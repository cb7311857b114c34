package io.mysqlpq.trino.metrics;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;

/** Binds what is counted for a node. */
public final class MetricsModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(PlanningTotals.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, PlanningTotals.class);
        binder.bind(ReadTotals.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, ReadTotals.class);
    }
}
