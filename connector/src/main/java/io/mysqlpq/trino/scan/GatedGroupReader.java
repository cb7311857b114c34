package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.GroupReader;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Reads a range's groups when its aggregation's gate lets it. */
final class GatedGroupReader
        implements GroupReader
{
    private final RangeGate gate;
    private final RowReader reader;
    private final Executor executor;

    /** @param gate of all ranges of the aggregation, which end together */
    GatedGroupReader(RangeGate gate, RowReader reader, Executor executor)
    {
        this.gate = requireNonNull(gate, "gate is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<Void> read(Consumer<Page> groups)
    {
        return gate.pass().thenAcceptAsync(granted -> read(granted, groups), executor);
    }

    private void read(Permit granted, Consumer<Page> groups)
    {
        reader.open(granted, TupleDomain.all());
        for (Optional<Page> page = reader.read(); page.isPresent(); page = reader.read()) {
            groups.accept(page.get());
        }
    }

    @Override
    public long retainedBytes()
    {
        return reader.retainedBytes();
    }

    @Override
    public void cancel()
    {
        reader.cancel();
        gate.cancel();
    }
}
