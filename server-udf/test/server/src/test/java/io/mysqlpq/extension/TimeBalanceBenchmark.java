package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Measures how even ranges are in the time that native scans of them take, one after the other, and prints the table
 * of docs/balance.md. Takes minutes, so no set of tests runs it: {@code ./pq balance} does.
 */
@TestInstance(PER_CLASS)
class TimeBalanceBenchmark
{
    private static final int RANGES = 14;
    private static final int ROUNDS = 41;
    private static final int WARM_UPS = 3;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .extension(true)
            .option("innodb-buffer-pool-size", "1G")
            .option("innodb-redo-log-capacity", "1G")
            .start();

    @Test
    void measureTimes()
    {
        System.out.println("| shape | ranges | rows, estimated | largest, rows | largest, bytes | | all columns: mean, ms | slowest | | without the payload: mean, ms | slowest |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        for (PayloadTable table : PayloadTable.all()) {
            try (Session session = new Session(server)) {
                table.create(session);
                // Nothing is weighed of columns that are not read.
                print(session, table, List.of(
                        ConnectorRanges.plan(session, PayloadTable.NAME, RANGES, "{\"off_page\": [\"payload\"]}"),
                        ConnectorRanges.plan(session, PayloadTable.NAME, RANGES, null)));
            }
        }
    }

    // With the payload, and without.
    private void print(Session session, PayloadTable table, List<ConnectorRanges> sides)
    {
        ConnectorRanges ranges = sides.getFirst();
        double[] rows = sizes(session, ranges, "COUNT(*)");
        double[] bytes = sizes(session, ranges, "SUM(4 + LENGTH(payload))");
        assertThat(Arrays.stream(rows).sum()).isEqualTo(table.rows());
        List<double[]> millis = measure(sides, List.of(rows, sizes(session, sides.getLast(), "COUNT(*)")));
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,d | %.2f × | %.2f × | | %.1f | %.2f × | | %.1f | %.2f × |%n",
                table.title(), ranges.count(), ranges.estimatedRows(), largest(rows), largest(bytes),
                mean(millis.getFirst()), largest(millis.getFirst()), mean(millis.getLast()), largest(millis.getLast()));
        printRanges(rows, bytes, millis.getFirst());
    }

    // For whoever asks why.
    private static void printRanges(double[] rows, double[] bytes, double[] millis)
    {
        for (int range = 0; range < rows.length; range++) {
            System.out.printf(Locale.ROOT, "%3d %,9.0f rows %,13.0f bytes %7.2f ms%n", range, rows[range], bytes[range], millis[range]);
        }
    }

    private static double[] sizes(Session session, ConnectorRanges ranges, String sum)
    {
        return IntStream.range(0, ranges.count())
                .mapToDouble(range -> session.number("SELECT %s FROM %s WHERE %s".formatted(sum, PayloadTable.NAME, ranges.predicate(range))))
                .toArray();
    }

    // The median of each range: of all columns, and without the payload.
    private List<double[]> measure(List<ConnectorRanges> ranges, List<double[]> rows)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, PayloadTable.NAME)) {
            List<ScanColumn> all = ScanColumn.of(reader.donor(), PayloadTable.NAME);
            List<List<ScanColumn>> columns = List.of(all, all.stream().filter(column -> !column.name().equals("payload")).toList());
            List<double[][]> millis = ranges.stream().map(side -> new double[side.count()][ROUNDS]).toList();
            Random random = new Random(1);
            for (int round = -WARM_UPS; round < ROUNDS; round++) {
                for (int side = 0; side < ranges.size(); side++) {
                    // In another order each time, for the one that follows the other side's scans finds less in the processor's caches.
                    List<Integer> order = new ArrayList<>(IntStream.range(0, ranges.get(side).count()).boxed().toList());
                    Collections.shuffle(order, random);
                    for (int range : order) {
                        NativeScan scan = new NativeScan(reader.session(), reader.token(), PayloadTable.NAME, columns.get(side), ranges.get(side).options(range));
                        long start = System.nanoTime();
                        long read = scan.count();
                        double taken = (System.nanoTime() - start) / 1e6;
                        assertThat(read).isEqualTo((long) rows.get(side)[range]);
                        if (round >= 0) {
                            millis.get(side)[range][round] = taken;
                        }
                    }
                }
            }
            return millis.stream().map(side -> Arrays.stream(side).mapToDouble(TimeBalanceBenchmark::median).toArray()).toList();
        }
    }

    private static double median(double[] figures)
    {
        return DoubleStream.of(figures).sorted().skip(figures.length / 2).findFirst().orElseThrow();
    }

    private static double mean(double[] figures)
    {
        return Arrays.stream(figures).average().orElseThrow();
    }

    // How many times the mean.
    private static double largest(double[] figures)
    {
        return Arrays.stream(figures).max().orElseThrow() / mean(figures);
    }
}
