package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.GroupReader;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.sharing.KeptRead;
import io.trino.spi.Page;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Reads a range's groups once its aggregation's admission allows it. */
final class AdmittedGroupReader
        implements GroupReader
{
    private final RangeAdmission admission;
    private final RowReader reader;
    private final Executor executor;

    /** @param admission of all ranges of the aggregation, which ends for all of them together */
    AdmittedGroupReader(RangeAdmission admission, RowReader reader, Executor executor)
    {
        this.admission = requireNonNull(admission, "admission is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<Void> read(Consumer<Page> groups)
    {
        return read(Optional::empty, groups);
    }

    /** @param known what an earlier query read of the same */
    CompletableFuture<Void> read(Supplier<Optional<KeptRead>> known, Consumer<Page> groups)
    {
        return admission.admit().thenAcceptAsync(granted -> read(granted, known.get(), groups), executor);
    }

    private void read(Permit granted, Optional<KeptRead> known, Consumer<Page> groups)
    {
        reader.open(granted, TupleDomain.all(), known);
        for (Optional<Page> page = reader.read(); page.isPresent(); page = reader.read()) {
            groups.accept(page.get());
        }
    }

    /** Whether all groups were read. */
    boolean isComplete()
    {
        return reader.isComplete();
    }

    /** What the groups are of. */
    List<ScannedPiece> pieces()
    {
        return reader.pieces();
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
        admission.cancel();
    }
}
