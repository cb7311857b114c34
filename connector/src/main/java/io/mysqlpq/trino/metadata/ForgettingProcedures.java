package io.mysqlpq.trino.metadata;

import com.google.inject.Inject;
import io.mysqlpq.trino.tables.VerifiedTableCache;
import io.trino.spi.procedure.Procedure;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.lang.invoke.MethodHandles.foldArguments;
import static java.lang.invoke.MethodType.methodType;
import static java.util.Objects.requireNonNull;

/** Makes each procedure that flushes a cache forget the remembered tables too: its caller wants to see what MySQL has now. */
public final class ForgettingProcedures
{
    private static final String FLUSH = "flush_";
    private static final MethodHandle FORGET;

    static {
        try {
            FORGET = MethodHandles.lookup().findVirtual(VerifiedTableCache.class, "forget", methodType(void.class));
        }
        catch (ReflectiveOperationException e) {
            throw new LinkageError("No method forget", e);
        }
    }

    private final VerifiedTableCache tables;

    @Inject
    ForgettingProcedures(VerifiedTableCache tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    public Set<Procedure> of(Set<Procedure> procedures)
    {
        return procedures.stream().map(procedure -> procedure.getName().startsWith(FLUSH) ? forgetting(procedure) : procedure).collect(toImmutableSet());
    }

    private Procedure forgetting(Procedure procedure)
    {
        return new Procedure(procedure.getSchema(), procedure.getName(), procedure.getArguments(), foldArguments(procedure.getMethodHandle(), FORGET.bindTo(tables)));
    }
}
