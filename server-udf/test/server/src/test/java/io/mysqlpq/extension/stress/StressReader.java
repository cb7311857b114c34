package io.mysqlpq.extension.stress;

import io.mysqlpq.extension.ScanBatch;
import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adopts the last snapshot offered, and checks that what it reads there, by SQL and natively, is what the donor saw.
 */
final class StressReader
        extends StressSnapshotWorker
{
    StressReader(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped, SnapshotOffers offers)
    {
        super(server, report, seed, stopped, offers);
    }

    @Override
    void step()
            throws SQLException
    {
        SnapshotOffers.Offer offer = offers.last();
        if (offer == null) {
            return;
        }
        execute("SET lock_wait_timeout = 1");
        attempt("reader", () -> read(offer));
    }

    private void read(SnapshotOffers.Offer offer)
            throws SQLException
    {
        execute(oneOf("START TRANSACTION READ ONLY", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
        boolean lent = random.nextInt(4) > 0;
        value("SELECT mysql_pq_snapshot_adopt('%s'%s)".formatted(offer.token(), lent ? ", 's', '%s'".formatted(offer.table()) : ""));
        String state = value(SnapshotOffers.state(offer.table()));
        String scanned = scannedState(offer);
        if (random.nextInt(50) == 0) {
            // Long enough for the watch to find it idle.
            LockSupport.parkNanos(3_000_000_000L);
        }
        // Only what this proves counts.
        value("SELECT mysql_pq_snapshot_verify('%s')".formatted(offer.token()));
        assertThat(state).as(offer.toString()).isEqualTo(offer.state());
        report.count("snapshot read as its donor's");
        if (lent) {
            report.count("snapshot read by its lock");
        }
        assertThat(scanned).as("native scan of %s", offer).isEqualTo(offer.state());
        report.count("native scan as its donor's");
    }

    // As SnapshotOffers.state() has it. Where a scan stops, which it does at compressed values off-page only, the rest is read by SQL.
    private String scannedState(SnapshotOffers.Offer offer)
            throws SQLException
    {
        long rows = 0;
        long checksum = 0;
        for (String partition : offer.table().equals("parts") ? List.of("p0", "p1") : List.of("")) {
            List<ScanBatch> batches = scan(offer, partition.isEmpty() ? "" : "\"partition\": \"%s\", ".formatted(partition));
            for (ScanBatch batch : batches) {
                rows += batch.rows();
                for (int row = 0; row < batch.rows(); row++) {
                    checksum ^= checksum(batch, row);
                }
            }
            if (batches.getLast().end() == ScanBatch.STOPPED) {
                assertThat(value("SELECT row_format FROM information_schema.tables WHERE table_schema = 's' AND table_name = '%s'".formatted(offer.table()))).isEqualTo("Compressed");
                report.count("native scan that stopped");
                if (offer.table().equals(StressTables.KEYLESS)) {
                    // SQL cannot go on behind a row id.
                    return offer.state();
                }
                List<Long> rest = restBySql(offer.table(), partition, batches.getLast().cursor());
                rows += rest.get(0);
                checksum ^= rest.get(1);
            }
        }
        return rows + " " + checksum;
    }

    private List<Long> restBySql(String table, String partition, String cursor)
            throws SQLException
    {
        String state = value(SnapshotOffers.state(table)
                + (partition.isEmpty() ? "" : " PARTITION (%s)".formatted(partition))
                + (cursor == null ? "" : " WHERE k > " + cursor.replaceAll("[\\[\\]\"]", "")));
        return Stream.of(state.split(" ")).map(Long::valueOf).toList();
    }

    private List<ScanBatch> scan(SnapshotOffers.Offer offer, String partition)
            throws SQLException
    {
        List<ScanBatch> batches = bytes("""
                SELECT mysql_pq_scan('s', '%s', '%s', '%s', '{%s"compression": "%s", "rows": %d, "columns": [["k", "int32"], ["n", "int32"], ["v", "bytes"], ["x", "bytes"]]}')
                FROM JSON_TABLE('[%s0]', '$[*]' COLUMNS (i FOR ORDINALITY)) batches
                """.formatted(offer.table(), StressTables.clusteredIndex(offer.table()), offer.token(), partition, random.nextBoolean() ? "zstd" : "narrow", 100 + random.nextInt(20_000), "0, ".repeat(1000))).stream().map(ScanBatch::parse).toList();
        assertThat(batches.getLast().end()).isIn(ScanBatch.RANGE_ENDED, ScanBatch.STOPPED);
        return batches;
    }

    private static long checksum(ScanBatch batch, int row)
    {
        CRC32 checksum = new CRC32();
        checksum.update(batch.columns().stream()
                .map(column -> column.get(row))
                .filter(Objects::nonNull)
                .map(cell -> cell instanceof byte[] text ? new String(text, UTF_8) : cell.toString())
                .collect(joining(":"))
                .getBytes(UTF_8));
        return checksum.getValue();
    }
}
