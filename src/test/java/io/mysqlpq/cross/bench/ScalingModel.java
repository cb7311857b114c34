package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.bench.ScalingEstimate.Part;
import io.mysqlpq.cross.running.TextTable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import static java.lang.Math.max;

/**
 * Tells what reading costs by a table's size and the number of its ranges, and what that would mean on larger machines.
 *
 * @param sentBytes by MySQL
 */
record ScalingModel(List<ScalingPoint> points, LinearFit seconds, LinearFit mysqlCpu, LinearFit trinoCpu, LinearFit sentBytes, List<ScalingEstimate> estimates)
{
    private static final int CORES = 32;
    private static final int RANGES_PER_CORE = 10;
    private static final double LINK_BITS_PER_SECOND = 1e10;
    // As InnoDB's statistics say of lineitem at scale 10.
    private static final double BYTES_OF_ROW_ON_DISK = 162;
    private static final double MEMORY_BYTES = 256e9;
    private static final double DISK_BYTES_PER_SECOND = 2e9;
    private static final List<Integer> SERVERS = List.of(1, 10);
    // The last one has 10 TB on disk.
    private static final List<Long> ROWS = List.of(6_000_000L, 60_000_000L, 600_000_000L, 6_000_000_000L, 62_000_000_000L);

    ScalingModel
    {
        points = List.copyOf(points);
        estimates = List.copyOf(estimates);
    }

    static ScalingModel of(List<ScalingPoint> points)
    {
        LinearFit seconds = LinearFit.of(points, ScalingPoint::seconds);
        LinearFit mysqlCpu = LinearFit.of(points, ScalingPoint::mysqlCpu);
        LinearFit trinoCpu = LinearFit.of(points, ScalingPoint::trinoCpu);
        LinearFit sentBytes = LinearFit.of(points, ScalingPoint::sentBytes);
        List<ScalingEstimate> estimates = ROWS.stream()
                .flatMap(rows -> SERVERS.stream().map(servers -> estimate(rows, servers, seconds, mysqlCpu, trinoCpu, sentBytes)))
                .toList();
        return new ScalingModel(points, seconds, mysqlCpu, trinoCpu, sentBytes, estimates);
    }

    // The slowest of all that work at once, after what none of them shortens. Negative parts are noise. Each server reads as many rows as another one, anywhere in
    // the table.
    private static ScalingEstimate estimate(long rows, int servers, LinearFit seconds, LinearFit mysqlCpu, LinearFit trinoCpu, LinearFit sentBytes)
    {
        long ranges = (long) CORES * RANGES_PER_CORE;
        long rowsOfServer = rows / servers;
        return ScalingEstimate.of(
                rows,
                servers,
                max(seconds.fixed(), 0),
                new Part("MySQL's cores", max(mysqlCpu.at(rowsOfServer, ranges), 0) / CORES),
                new Part("Trino's cores", max(trinoCpu.at(rowsOfServer, ranges), 0) / CORES),
                new Part("the link", max(sentBytes.at(rowsOfServer, ranges), 0) * 8 / LINK_BITS_PER_SECOND),
                new Part("the disk", rows * BYTES_OF_ROW_ON_DISK <= MEMORY_BYTES ? 0 : rowsOfServer * BYTES_OF_ROW_ON_DISK / DISK_BYTES_PER_SECOND));
    }

    void print(PrintStream out)
    {
        out.printf("%nall 16 columns by rows and ranges (linear fits):%n");
        TextTable table = new TextTable(List.of("figure", "fixed", "per million rows", "per range", "explained"), List.of(false, true, true, true, true));
        table.add(row("seconds", seconds, 1));
        table.add(row("mysqld CPU s", mysqlCpu, 1));
        table.add(row("Trino CPU s", trinoCpu, 1));
        table.add(row("MB sent", sentBytes, 1e-6));
        table.print(out);
        out.printf(
                "ESTIMATES, not measured: MySQL and Trino on %d such cores each, %.0f Gb/s between them, no other load, tables of more than %.0f GB from disks that read %.0f GB/s%n",
                CORES,
                LINK_BITS_PER_SECOND / 1e9,
                MEMORY_BYTES / 1e9,
                DISK_BYTES_PER_SECOND / 1e9);
        for (ScalingEstimate estimate : estimates) {
            out.printf(
                    "  %,d rows, %,.1f GB on disk, from %d of such servers at one moment: %,.2f s (%.1f million rows/s), limited by %s%n",
                    estimate.rows(),
                    estimate.rows() * BYTES_OF_ROW_ON_DISK / 1e9,
                    estimate.servers(),
                    estimate.seconds(),
                    estimate.rows() / estimate.seconds() / 1e6,
                    estimate.slowest().name());
        }
    }

    private static List<String> row(String figure, LinearFit fit, double unit)
    {
        List<String> row = new ArrayList<>(List.of(figure));
        for (double part : new double[] {fit.fixed() * unit, fit.perRow() * 1e6 * unit, fit.perRange() * unit, fit.explained()}) {
            row.add("%.4f".formatted(part));
        }
        return row;
    }
}
