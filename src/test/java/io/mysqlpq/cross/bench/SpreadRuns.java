package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TextTable;
import io.mysqlpq.testing.Background;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Counts how many queries read from several replicas at one moment, while clients commit transactions on the source. */
record SpreadRuns(RunningServers servers, int replicas)
{
    private static final List<Integer> TRANSACTIONS_PER_SECOND = List.of(0, 10, 100, 1000);
    private static final int QUERIES = 40;
    private static final int WRITERS = 4;
    private static final String WRITTEN = BenchTables.SCHEMA + ".written";
    private static final String SCAN = "SELECT checksum(text1) FROM mysql_pq." + BenchTables.WIDE;

    void print(PrintStream out)
            throws SQLException
    {
        try (Connection mysql = servers.mysql(); Statement statement = mysql.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS %s (id INT PRIMARY KEY, n BIGINT NOT NULL)".formatted(WRITTEN));
            for (int writer = 0; writer < WRITERS; writer++) {
                statement.execute("INSERT IGNORE INTO %s VALUES (%d, 0)".formatted(WRITTEN, writer));
            }
        }
        List<String> header = List.of("transactions/s wanted", "reached", "queries", "of several replicas", "median s");
        TextTable table = new TextTable(header, header.stream().map(_ -> true).toList());
        for (int rate : TRANSACTIONS_PER_SECOND) {
            table.add(beside(rate));
        }
        out.printf("%nscans that were to read from %d replicas at one moment, beside %d clients that write on the source:%n%n", replicas, WRITERS);
        table.print(out);
    }

    private List<String> beside(int rate)
            throws SQLException
    {
        AtomicBoolean ended = new AtomicBoolean();
        List<CompletableFuture<Long>> writers = IntStream.range(0, rate == 0 ? 0 : WRITERS)
                .mapToObj(writer -> Background.supply(() -> write(writer, (double) rate / WRITERS, ended)))
                .toList();
        long started = System.nanoTime();
        List<Double> seconds = new ArrayList<>();
        long spread;
        try (Connection trino = ReplicaBench.connection(servers, replicas); Statement statement = trino.createStatement()) {
            long before = spread(statement);
            for (int query = 0; query < QUERIES; query++) {
                long began = System.nanoTime();
                try (ResultSet rows = statement.executeQuery(SCAN)) {
                    rows.next();
                }
                seconds.add((System.nanoTime() - began) / 1e9);
            }
            spread = spread(statement) - before;
        }
        finally {
            ended.set(true);
        }
        long committed = writers.stream().mapToLong(CompletableFuture::join).sum();
        double reached = committed * 1e9 / (System.nanoTime() - started);
        return List.of(String.valueOf(rate), "%.0f".formatted(reached), String.valueOf(QUERIES), String.valueOf(spread), "%.3f".formatted(seconds.stream().sorted().toList().get(QUERIES / 2)));
    }

    // Returns how many transactions it committed.
    private long write(int writer, double perSecond, AtomicBoolean ended)
    {
        try (Connection mysql = servers.mysql(); Statement statement = mysql.createStatement()) {
            long started = System.nanoTime();
            long committed = 0;
            while (!ended.get()) {
                statement.execute("UPDATE %s SET n = n + 1 WHERE id = %d".formatted(WRITTEN, writer));
                committed++;
                LockSupport.parkNanos((long) (started + committed * 1e9 / perSecond) - System.nanoTime());
            }
            return committed;
        }
        catch (SQLException e) {
            throw new IllegalStateException("A writer failed", e);
        }
    }

    private static long spread(Statement trino)
            throws SQLException
    {
        try (ResultSet rows = trino.executeQuery("SELECT sum(value) FROM TABLE(mysql_pq.system.counters()) WHERE type = 'RoutedQueries' AND attribute = 'Spread'")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
