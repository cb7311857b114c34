package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.mysqlpq.trino.planning.sql.SqlRanges;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.RememberedKeys;
import io.mysqlpq.trino.statistics.TableSampler;
import io.trino.spi.procedure.Procedure;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import static io.mysqlpq.trino.operations.OperationFunction.SCHEMA;
import static java.lang.invoke.MethodType.methodType;
import static java.util.Objects.requireNonNull;

/**
 * Clears the coordinator's caches for planning: ranges found by SQL, columns and unique keys of tables, samples, and whether MySQL has the extension.
 */
public final class FlushPlanningCacheProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle FLUSH;

    static {
        try {
            FLUSH = MethodHandles.lookup().findVirtual(FlushPlanningCacheProcedure.class, "flush", methodType(void.class));
        }
        catch (ReflectiveOperationException e) {
            throw new LinkageError("No method flush", e);
        }
    }

    private final SqlRanges sqlRanges;
    private final RememberedKeys rememberedKeys;
    private final ExtensionRanges extensionRanges;
    private final TableSampler samples;

    @Inject
    FlushPlanningCacheProcedure(SqlRanges sqlRanges, RememberedKeys rememberedKeys, ExtensionRanges extensionRanges, TableSampler samples)
    {
        this.sqlRanges = requireNonNull(sqlRanges, "sqlRanges is null");
        this.rememberedKeys = requireNonNull(rememberedKeys, "rememberedKeys is null");
        this.extensionRanges = requireNonNull(extensionRanges, "extensionRanges is null");
        this.samples = requireNonNull(samples, "samples is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(SCHEMA, "flush_planning_cache", ImmutableList.of(), FLUSH.bindTo(this));
    }

    public void flush()
    {
        sqlRanges.forget();
        rememberedKeys.forget();
        extensionRanges.forget();
        samples.forget();
    }
}
