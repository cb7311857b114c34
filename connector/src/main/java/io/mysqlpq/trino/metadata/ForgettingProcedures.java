package io.mysqlpq.trino.metadata;

import io.trino.spi.procedure.Procedure;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.lang.invoke.MethodHandles.foldArguments;
import static java.lang.invoke.MethodType.methodType;

/** Makes each procedure that flushes a cache forget something else too: its caller wants to see what MySQL has now. */
public final class ForgettingProcedures
{
    private static final String FLUSH = "flush_";
    private static final MethodHandle RUN;

    static {
        try {
            RUN = MethodHandles.lookup().findVirtual(Runnable.class, "run", methodType(void.class));
        }
        catch (ReflectiveOperationException e) {
            throw new LinkageError("No method run", e);
        }
    }

    private ForgettingProcedures()
    {}

    public static Set<Procedure> of(Set<Procedure> procedures, Runnable forget)
    {
        return procedures.stream().map(procedure -> procedure.getName().startsWith(FLUSH) ? forgetting(procedure, forget) : procedure).collect(toImmutableSet());
    }

    private static Procedure forgetting(Procedure procedure, Runnable forget)
    {
        return new Procedure(procedure.getSchema(), procedure.getName(), procedure.getArguments(), foldArguments(procedure.getMethodHandle(), RUN.bindTo(forget)));
    }
}
