package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;

/** Asks again and again whether ranges have changed, while writers change them. What counts as unchanged is compared with what MySQL has. */
@Tag("stress")
class TestConditionalScanStress
{
    private static final long SECONDS = Long.getLong("pq.stress.seconds", 60);
    private static final int KEYS = 20_000;
    private static final int WRITERS = 3;
    private static final int READERS = 3;
    private static final int MOST_KEPT = 40;
    private static final int MOST_PIECES = 1000;
    private static final int ASKED_IN_ONE_SNAPSHOT = 12;

    private final long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong unchanged = new AtomicLong();
    private final AtomicLong changed = new AtomicLong();
    private final AtomicLong partlyChanged = new AtomicLong();
    private final AtomicLong askedInOld = new AtomicLong();
    private final AtomicLong withoutValidator = new AtomicLong();
    // Where the writers are at work. What lies far from it has a chance to stay as it is.
    private volatile int place;

    @Test
    void testWritersAndReaders()
    {
        long seed = Seed.draw();
        Random seeds = new Random(seed);
        try (MysqlServer server = MysqlServer.builder().extension(true).option("innodb-buffer-pool-size", "8M").option("cte-max-recursion-depth", "100000").start()) {
            server.execute(
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(1500) NOT NULL)",
                    "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i * 2, i %% 100, REPEAT('t', i %% 200) FROM s".formatted(KEYS / 2));
            Await.until("a scan gives a validator", () -> KeptScan.scan(server, "s.t", options(new Random(1), 0)).validator() != null);
            BackgroundTasks tasks = new BackgroundTasks();
            for (int i = 0; i < WRITERS; i++) {
                long ofWriter = seeds.nextLong();
                tasks.start(() -> whileRunning(() -> write(server, new Random(ofWriter))));
            }
            for (int i = 0; i < READERS; i++) {
                long ofReader = seeds.nextLong();
                tasks.start(() -> whileRunning(() -> read(server, new Random(ofReader))));
            }
            Await.until("the time is over", Duration.ofSeconds(SECONDS + 10), () -> stopped.get() || isOver(server));
            stopped.set(true);
            tasks.await();
            server.assertErrorLogClean();
        }
        System.out.printf("Conditional scans: %s unchanged, %s changed in part, %s changed, %s in older snapshots, %s without a validator%n", unchanged, partlyChanged, changed, askedInOld, withoutValidator);
        System.out.printf(Locale.ROOT, "Reliability: conditional scans seed %d minutes %.2f queries %d differences 0%n", seed, SECONDS / 60.0, unchanged.get() + partlyChanged.get() + changed.get() + askedInOld.get());
        assertThat(unchanged.get()).isGreaterThan(SECONDS);
        assertThat(partlyChanged.get()).isGreaterThan(SECONDS);
        assertThat(changed.get()).isGreaterThan(SECONDS);
    }

    private boolean isOver(MysqlServer server)
    {
        assertThat(server.isAlive()).isTrue();
        return System.nanoTime() > end;
    }

    private void whileRunning(Runnable work)
    {
        try {
            work.run();
        }
        finally {
            stopped.set(true);
        }
    }

    private static String options(Random random, int pieceRows)
    {
        int low = random.nextInt(KEYS);
        // A statement reads no more than 2,000 batches.
        int most = pieceRows == 0 ? KEYS : min(KEYS, pieceRows * 500);
        int high = low + 1 + random.nextInt(random.nextInt(10) == 0 ? most : min(most, 500));
        String aggregate = "{\"groups\": [0], \"functions\": [[\"count\"], [\"sum\", 1], [\"max\", 1]]}";
        return switch (random.nextInt(4)) {
            case 0 -> "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]}".formatted(low, high);
            case 1 -> "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], \"filters\": [{\"column\": \"v\", \"intervals\": [[\"10\", true, \"50\", true]], \"nulls\": false}], \"rows\": 100, \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}".formatted(low, high);
            case 2 -> "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], %s}".formatted(low, high, KeptScan.FIRST);
            default -> "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], \"aggregate\": %s, \"columns\": [[\"v\", \"int64\"], [\"k\", \"int64\"]]}".formatted(low, high, aggregate);
        };
    }

    private void read(MysqlServer server, Random random)
    {
        List<KeptScan> kept = new ArrayList<>();
        while (!stopped.get()) {
            try (SnapshotReader old = SnapshotReader.open(server, "s.t")) {
                for (int i = 0; i < 20 && !stopped.get(); i++) {
                    scan(server, random, kept);
                    ask(server, random, kept, old);
                }
            }
        }
    }

    private void scan(MysqlServer server, Random random, List<KeptScan> kept)
    {
        if (kept.size() == MOST_KEPT) {
            kept.remove(random.nextInt(kept.size()));
            return;
        }
        int pieceRows = random.nextBoolean() ? 0 : 1 + random.nextInt(300);
        int kind = random.nextInt(4);
        KeptScan scan = switch (kind) {
            case 0 -> KeptScan.scan(server, "s.t", options(random, pieceRows), pieceRows);
            case 1 -> scanFirstRows(server, random);
            default -> KeptScan.scanSlowly(server, "s.t", optionsNearWriters(random), pieceRows);
        };
        if (!scan.hasValidator()) {
            withoutValidator.incrementAndGet();
            return;
        }
        kept.add(scan);
        if (kind > 0) {
            // When what came during the scan is committed, and before much else changes.
            pause(random.nextInt(25));
            count(scan, scan.ask(), kept);
        }
    }

    // Pages that the scan has passed change before it ends, and few after that.
    private String optionsNearWriters(Random random)
    {
        int low = nearWriters(random);
        return "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], \"rows\": 25, \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]}".formatted(low, low + 200);
    }

    // One piece loses its first rows, and those of other pieces, which have not changed, come in their place.
    private KeptScan scanFirstRows(MysqlServer server, Random random)
    {
        int low = nearWriters(random);
        return KeptScan.scan(server, "s.t", "{\"lower\": [\"%s\"], \"upper\": [\"%s\"], %s}".formatted(low, low + 400, KeptScan.FIRST), 1 + random.nextInt(20));
    }

    private int nearWriters(Random random)
    {
        return (place + 100 + random.nextInt(200)) % KEYS;
    }

    // In a new snapshot mostly. An older one must not get what a newer one read.
    private void ask(MysqlServer server, Random random, List<KeptScan> kept, SnapshotReader old)
    {
        // To open a snapshot takes longer than to ask in it.
        try (SnapshotReader now = SnapshotReader.open(server, "s.t")) {
            for (int i = 0; i < ASKED_IN_ONE_SNAPSHOT && !kept.isEmpty(); i++) {
                KeptScan asked = kept.get(random.nextInt(kept.size()));
                if (random.nextInt(4) == 0) {
                    asked.askFor(old);
                    askedInOld.incrementAndGet();
                }
                else {
                    count(asked, asked.askFor(now), kept);
                }
            }
        }
    }

    private void count(KeptScan asked, KeptScan.Answer answer, List<KeptScan> kept)
    {
        if (answer.unchanged() == asked.pieces().size()) {
            unchanged.incrementAndGet();
            return;
        }
        (answer.unchanged() == 0 ? changed : partlyChanged).incrementAndGet();
        kept.remove(asked);
        if (answer.unchanged() > 0 && answer.now().pieces().size() <= MOST_PIECES) {
            kept.add(answer.now());
        }
    }

    private void write(MysqlServer server, Random random)
    {
        try (Session session = new Session(server)) {
            while (!stopped.get()) {
                if (random.nextInt(50) == 0) {
                    place = random.nextInt(KEYS);
                    pause(random.nextInt(200));
                }
                if (random.nextInt(200) == 0) {
                    session.execute(administration(random));
                }
                if (random.nextInt(3) == 0) {
                    session.executeOrDeadlock(change(random));
                    continue;
                }
                session.execute("START TRANSACTION");
                for (int i = random.nextInt(4); i >= 0; i--) {
                    session.executeOrDeadlock(change(random));
                }
                pause(random.nextInt(20));
                session.execute(random.nextInt(3) == 0 ? "ROLLBACK" : "COMMIT");
            }
        }
    }

    private String change(Random random)
    {
        int at = Math.floorMod(place + (int) (random.nextGaussian() * 100), KEYS);
        return switch (random.nextInt(8)) {
            case 0 -> "DELETE FROM s.t WHERE k BETWEEN %s AND %s".formatted(at, at + random.nextInt(60));
            case 1 -> "INSERT IGNORE INTO s.t VALUES (%s, 1, REPEAT('n', %s))".formatted(at, random.nextInt(1500));
            case 2 -> "INSERT IGNORE INTO s.t SELECT k + 1, v, t FROM s.t WHERE k BETWEEN %s AND %s".formatted(at, at + random.nextInt(60));
            case 3 -> "UPDATE s.t SET t = REPEAT('u', %s) WHERE k BETWEEN %s AND %s".formatted(random.nextInt(1500), at, at + random.nextInt(6));
            case 4 -> "UPDATE IGNORE s.t SET k = k + %s WHERE k = %s".formatted(random.nextInt(100) - 50, at);
            case 5 -> "REPLACE INTO s.t VALUES (%s, %s, 'r')".formatted(at, random.nextInt(100));
            default -> "UPDATE s.t SET v = %s WHERE k BETWEEN %s AND %s".formatted(random.nextInt(100), at, at + random.nextInt(3));
        };
    }

    // No DDL, which would end snapshots: TestConditionalScans has it.
    private static String administration(Random random)
    {
        return switch (random.nextInt(3)) {
            case 0 -> "ANALYZE TABLE s.t";
            case 1 -> "SET GLOBAL innodb_max_dirty_pages_pct = %s".formatted(random.nextInt(90));
            default -> "SET GLOBAL innodb_buffer_pool_size = %s".formatted((6 + random.nextInt(4)) << 20);
        };
    }

    private static void pause(int milliseconds)
    {
        try {
            Thread.sleep(milliseconds);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
