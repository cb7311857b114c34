package io.mysqlpq.trino.metrics;

import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.metrics.Metrics;

import java.util.OptionalLong;

/** Tells Trino what {@link ReadMetrics} has counted of a page source's reading. */
public interface MeasuredPageSource
        extends ConnectorPageSource
{
    ReadMetrics metrics();

    @Override
    default long getCompletedBytes()
    {
        return metrics().bytesGiven();
    }

    @Override
    default OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(metrics().rowsGiven());
    }

    @Override
    default long getReadTimeNanos()
    {
        return metrics().readNanos();
    }

    @Override
    default Metrics getMetrics()
    {
        return metrics().toMetrics();
    }
}
