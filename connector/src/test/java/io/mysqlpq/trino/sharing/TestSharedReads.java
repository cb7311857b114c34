package io.mysqlpq.trino.sharing;

import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.sharing.SharedReads.Ended;
import io.mysqlpq.trino.sharing.SharedReads.Joined;
import io.mysqlpq.trino.sharing.SharedReads.Recording;
import io.trino.spi.Page;
import io.trino.spi.block.RunLengthEncodedBlock;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

class TestSharedReads
{
    private static final ReadKey KEY = new ReadKey(Optional.of("s"), "read", 0);
    private static final int BUDGET_KILOBYTES = 800;

    private final SharedReads reads = new SharedReads(new SharedReadsConfig().setSharedReadsMemory(DataSize.of(BUDGET_KILOBYTES, KILOBYTE)).setSharedReadsWait(new Duration(5, MINUTES)));

    @Test
    void testThoseWhoWaitAndThoseWhoComeLater()
    {
        Recording recording = leads(KEY);
        CompletableFuture<Ended> waiting = waits(KEY);
        recording.add(page("a"));
        assertThat(waiting).isNotDone();
        recording.add(page("b"));
        recording.complete(List.of());
        assertThat(pages(waiting)).hasSize(2);
        assertThat(pages(waits(KEY))).isEqualTo(pages(waiting));
        assertThat(reads.getKept()).isEqualTo(1);
        assertThat(reads.getBytesKept()).isPositive();
        assertThat(pages(waits(new ReadKey(Optional.of("s"), "read", 77)))).hasSize(2);
        leads(new ReadKey(Optional.of("s"), "another read", 0));
        leads(new ReadKey(Optional.of("another snapshot"), "read", 0));
    }

    @Test
    void testReadThatIsAbandoned()
    {
        Recording recording = leads(KEY);
        CompletableFuture<Ended> waiting = waits(KEY);
        recording.add(page("a"));
        recording.abandon();
        assertThat(waiting.join()).isInstanceOf(Ended.Abandoned.class);
        // What it does now is of no use for others.
        recording.add(page("b"));
        recording.complete(List.of());
        Recording next = leads(KEY);
        next.complete(List.of());
        next.abandon();
        assertThat(pages(waits(KEY))).isEmpty();
    }

    @Test
    void testReadThatIsTooLarge()
    {
        Recording recording = leads(KEY);
        CompletableFuture<Ended> waiting = waits(KEY);
        recording.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 7)));
        assertThat(recording.isAwaited()).isFalse();
        assertThat(waiting.join()).isInstanceOf(Ended.TooLarge.class);
        recording.add(page("b"));
        recording.complete(List.of());
        // Nobody waits for it again.
        assertThat(waits(KEY).join()).isInstanceOf(Ended.TooLarge.class);
        assertThat(reads.getBytesKept()).isZero();
        assertThat(reads.getTooLarge()).isEqualTo(1);
    }

    @Test
    void testBudget()
    {
        for (int i = 0; i < 100; i++) {
            Recording recording = leads(new ReadKey(Optional.of("s"), i, 0));
            recording.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20)));
            recording.complete(List.of());
            assertThat(reads.getBytesKept()).isBetween(1L, BUDGET_KILOBYTES * 1024L);
            assertThat(pages(waits(new ReadKey(Optional.of("s"), i, 0)))).hasSize(1);
            // The one that is asked for again and again stays.
            assertThat(pages(waits(new ReadKey(Optional.of("s"), 0, 0)))).hasSize(1);
        }
        // Small reads take memory too.
        for (int i = 100; i < 10_000; i++) {
            leads(new ReadKey(Optional.of("s"), i, 0)).complete(List.of());
        }
        assertThat(reads.getKept()).isLessThan(BUDGET_KILOBYTES);
    }

    @Test
    void testReadThatTakesTooLong()
    {
        SharedReads impatient = new SharedReads(new SharedReadsConfig().setSharedReadsWait(new Duration(1, MILLISECONDS)));
        Recording recording = ((Joined.Reads) impatient.join(KEY)).recording();
        assertThat(((Joined.Waits) impatient.join(KEY)).ended().join()).isInstanceOf(Ended.Late.class);
        // It goes on for others.
        recording.add(page("a"));
        recording.complete(List.of());
        assertThat(pages(((Joined.Waits) impatient.join(KEY)).ended())).hasSize(1);
    }

    @Test
    void testWhatMayBeRightInAnotherSnapshot()
    {
        ReadKey elsewhere = new ReadKey(Optional.of("another snapshot"), "read", 0);
        ReadKey alone = new ReadKey(Optional.empty(), "read", 0);
        Recording recording = leads(KEY);
        assertThat(recording.kept()).isEmpty();
        recording.add(page("a"));
        recording.complete(piece("validator"));
        for (ReadKey key : List.of(elsewhere, alone)) {
            Recording later = leads(key);
            assertThat(later.kept().orElseThrow().pieces()).isEqualTo(piece("validator"));
            assertThat(later.kept().orElseThrow().pages()).isEqualTo(pages(waits(KEY)));
            later.abandon();
        }
        // The snapshot's own is not kept twice.
        assertThat(reads.getKept()).isEqualTo(1);
        // Those that read in a snapshot of their own do not wait for one another.
        Recording first = reads.record(alone);
        Recording second = reads.record(alone);
        assertThat(first.isAwaited()).isFalse();
        first.add(page("b"));
        second.add(page("c"));
        second.add(page("d"));
        first.complete(piece("first"));
        second.complete(piece("second"));
        assertThat(reads.record(alone).kept().orElseThrow().pieces()).isEqualTo(piece("second"));
        // Without a validator nothing is known of other snapshots.
        Recording unknown = reads.record(new ReadKey(Optional.empty(), "unknown", 0));
        unknown.complete(List.of());
        assertThat(reads.record(new ReadKey(Optional.empty(), "unknown", 0)).kept()).isEmpty();
    }

    // However many queries record at once, their pages have a limit.
    @Test
    void testRecordingsAtOnce()
    {
        List<Recording> recordings = IntStream.range(0, 100).mapToObj(i -> reads.record(new ReadKey(Optional.empty(), i, 0))).toList();
        recordings.forEach(recording -> recording.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20))));
        assertThat(reads.getNoRoom()).isBetween(75L, 95L);
        assertThat(reads.getTooLarge()).isZero();
        recordings.forEach(Recording::abandon);
        Recording next = reads.record(new ReadKey(Optional.empty(), "next", 0));
        next.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20)));
        next.complete(piece("validator"));
        assertThat(reads.record(new ReadKey(Optional.empty(), "next", 0)).kept()).isPresent();
    }

    // It was not too large. Others may keep it when there is room.
    @Test
    void testReadWithoutRoom()
    {
        List<Recording> others = IntStream.range(0, 100).mapToObj(i -> reads.record(new ReadKey(Optional.empty(), i, 0))).toList();
        Recording recording = leads(KEY);
        CompletableFuture<Ended> waiting = waits(KEY);
        others.forEach(other -> other.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20))));
        recording.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20)));
        assertThat(waiting.join()).isInstanceOf(Ended.TooLarge.class);
        others.forEach(Recording::abandon);
        Recording next = leads(KEY);
        next.add(page("x".repeat(BUDGET_KILOBYTES * 1024 / 20)));
        next.complete(List.of());
        assertThat(pages(waits(KEY))).hasSize(1);
    }

    // Long lists of values are in the key.
    @Test
    void testLargeKeys()
    {
        for (int i = 0; i < 100; i++) {
            leads(new ReadKey(Optional.of("s"), i, BUDGET_KILOBYTES * 1024 / 10)).complete(List.of());
            assertThat(reads.getBytesKept()).isLessThanOrEqualTo(BUDGET_KILOBYTES * 1024L);
        }
        assertThat(reads.getDisplaced()).isGreaterThanOrEqualTo(90);
        Recording recording = leads(new ReadKey(Optional.of("s"), "larger than what is kept", BUDGET_KILOBYTES * 1024 / 7));
        recording.add(page("a"));
        assertThat(reads.getTooLarge()).isEqualTo(1);
    }

    private Recording leads(ReadKey key)
    {
        return ((Joined.Reads) reads.join(key)).recording();
    }

    private CompletableFuture<Ended> waits(ReadKey key)
    {
        return ((Joined.Waits) reads.join(key)).ended();
    }

    private static List<Page> pages(CompletableFuture<Ended> ended)
    {
        return ((Ended.Complete) ended.join()).read().pages();
    }

    private static List<ScannedPiece> piece(String validator)
    {
        return List.of(new ScannedPiece(1, Optional.empty(), Optional.of(validator)));
    }

    private static Page page(String text)
    {
        return new Page(RunLengthEncodedBlock.create(writeNativeValue(VARCHAR, utf8Slice(text)), 1));
    }
}
