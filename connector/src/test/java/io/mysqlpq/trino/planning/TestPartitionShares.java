package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.planning.PartitionShares.Share;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

class TestPartitionShares
{
    @Test
    void testSmallNeighboursAreJoined()
    {
        assertThat(PartitionShares.of(List.of(40L, 50L, 20L, 0L, 0L), 100, 128)).containsExactly(new Share(0, 2, 1), new Share(2, 5, 1));
    }

    @Test
    void testLargePartitionsAreCut()
    {
        assertThat(PartitionShares.of(List.of(10L, 1000L, 10L, 120L), 100, 128))
                .containsExactly(new Share(0, 1, 1), new Share(1, 2, 10), new Share(2, 3, 1), new Share(3, 4, 1));
    }

    @Test
    void testLimitOfSplits()
    {
        assertThat(splits(PartitionShares.of(List.of(10_000L, 10_000L), 100, 128))).isBetween(90, 128);
        assertThat(splits(PartitionShares.of(Collections.nCopies(8192, 1_000L), 100, 128))).isBetween(90, 128);
        assertThat(splits(PartitionShares.of(List.of(Long.MAX_VALUE, 1L, Long.MAX_VALUE), 1, 3))).isBetween(1, 3);
        assertThat(PartitionShares.of(List.of(0L, 0L, 0L), 100, 1)).containsExactly(new Share(0, 3, 1));
    }

    @Test
    void testEachPartitionIsReadOnce()
    {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            List<Long> rows = Stream.generate(() -> (long) random.nextInt(1 << random.nextInt(20))).limit(1 + random.nextInt(40)).collect(toImmutableList());
            List<Share> shares = PartitionShares.of(rows, 1 + random.nextInt(10_000), 1 + random.nextInt(64));
            int next = 0;
            for (Share share : shares) {
                assertThat(share.first()).isEqualTo(next);
                next = share.end();
            }
            assertThat(next).isEqualTo(rows.size());
        }
    }

    @Test
    void testWithoutEstimates()
    {
        // As many ranges as there may be, or as few partitions together as there must be.
        assertThat(PartitionShares.of(List.of(1L, 1L), 2 / 8.0, 8)).containsExactly(new Share(0, 1, 4), new Share(1, 2, 4));
        assertThat(splits(PartitionShares.of(ImmutableList.copyOf(Collections.nCopies(100, 1L)), 100 / 8.0, 8))).isBetween(6, 8);
    }

    private static int splits(List<Share> shares)
    {
        return shares.stream().mapToInt(Share::ranges).sum();
    }
}
