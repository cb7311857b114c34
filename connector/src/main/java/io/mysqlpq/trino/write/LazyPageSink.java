package io.mysqlpq.trino.write;

import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSink;

import java.util.Optional;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static java.util.Objects.requireNonNull;

/** Opens a writer of rows with its first page, because each writer holds a connection to MySQL. */
final class LazyPageSink
{
    private final Supplier<ConnectorPageSink> opener;
    private Optional<ConnectorPageSink> sink = Optional.empty();

    LazyPageSink(Supplier<ConnectorPageSink> opener)
    {
        this.opener = requireNonNull(opener, "opener is null");
    }

    void append(Page page)
    {
        if (sink.isEmpty()) {
            sink = Optional.of(opener.get());
        }
        // base-jdbc writes in the calling thread.
        getFutureValue(sink.get().appendPage(page));
    }

    void finish()
    {
        sink.ifPresent(opened -> getFutureValue(opened.finish()));
    }

    void abort()
    {
        sink.ifPresent(ConnectorPageSink::abort);
    }
}
