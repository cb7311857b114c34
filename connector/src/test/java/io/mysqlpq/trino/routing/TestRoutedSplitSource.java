package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.connection.ServerAddress;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.connector.FixedSplitSource;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRoutedSplitSource
{
    private static final ServerAddress SERVER = ServerAddress.parse("replica.example.net:3306");

    private final CompletableFuture<List<CopiedScan>> copies = new CompletableFuture<>();

    @Test
    void testPlansWhenTheMomentIsKnown()
    {
        CompletableFuture<List<ConnectorSplit>> batch = new RoutedSplitSource(SERVER, new FixedSplitSource(ImmutableList.of()), copies).getNextBatch(10, DynamicFilterSnapshot.EMPTY);
        assertThat(batch).isNotDone();
        copies.complete(ImmutableList.of());
        assertThat(batch).isCompletedWithValue(ImmutableList.of());
    }

    @Test
    void testReadsAloneWithoutAMoment()
    {
        copies.completeExceptionally(new IllegalStateException("no moment"));
        assertThat(new RoutedSplitSource(SERVER, new FixedSplitSource(ImmutableList.of()), copies).getNextBatch(10, DynamicFilterSnapshot.EMPTY)).isCompletedWithValue(ImmutableList.of());
    }

    @Test
    void testFailureOfPlanningArrives()
    {
        CompletableFuture<List<ConnectorSplit>> batch = new RoutedSplitSource(SERVER, new FailingSource(), copies).getNextBatch(10, DynamicFilterSnapshot.EMPTY);
        copies.complete(ImmutableList.of());
        assertThat(batch).isCompletedExceptionally();
        assertThatThrownBy(batch::join).hasMessageContaining("no plan");
    }

    private static final class FailingSource
            implements ConnectorSplitSource
    {
        @Override
        public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter)
        {
            throw new IllegalStateException("no plan");
        }

        @Override
        public void close()
        {}

        @Override
        public boolean isFinished()
        {
            return false;
        }
    }
}
