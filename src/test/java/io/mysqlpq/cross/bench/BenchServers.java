package io.mysqlpq.cross.bench;

import com.sun.management.OperatingSystemMXBean;
import io.mysqlpq.cross.running.RunningServers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads what the two servers have used so far.
 */
final class BenchServers
{
    // What the pool holds beside pages of tables.
    private static final double ROOM_FOR_OTHER_PAGES = 1.1;

    private final RunningServers servers;
    private final Optional<String> restart;
    private Statement mysql;
    private long mysqlProcess;

    /** @param restart the command by which MySQL begins anew, and which prints its process id last */
    BenchServers(RunningServers servers, Connection mysql, Optional<String> restart)
            throws SQLException
    {
        this.servers = servers;
        this.restart = restart;
        this.mysql = mysql.createStatement();
        this.mysqlProcess = servers.mysqlProcess();
    }

    /** Has MySQL begin anew with nothing in memory; sessions that were open are lost. */
    void restartCold()
            throws SQLException
    {
        try {
            mysql.getConnection().close();
            Process process = new ProcessBuilder(restart.orElseThrow(), "restart-cold").redirectErrorStream(true).start();
            List<String> output = process.inputReader(UTF_8).lines().toList();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("MySQL does not start anew: " + output);
            }
            mysqlProcess = Long.parseLong(output.getLast());
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot have MySQL start anew", e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while MySQL started anew", e);
        }
        mysql = servers.mysql().createStatement();
        fitPool();
    }

    CpuTimes cpu()
            throws IOException
    {
        return CpuTimes.now(mysqlProcess, servers.trinoProcess());
    }

    void resetMemoryPeaks()
    {
        MemoryPeaks.reset(mysqlProcess);
        MemoryPeaks.reset(servers.trinoProcess());
    }

    MemoryPeaks memoryPeaks()
            throws IOException
    {
        return MemoryPeaks.now(mysqlProcess, servers.trinoProcess());
    }

    /** Pages that MySQL read from disk since it started. */
    long pagesRead()
            throws SQLException
    {
        return number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_buffer_pool_reads'");
    }

    /** Bytes that MySQL sent to all its clients since it started. */
    long sentBytes()
            throws SQLException
    {
        return number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Bytes_sent'");
    }

    /**
     * Makes the buffer pool larger than the data.
     *
     * @throws IllegalStateException if that would take most of the machine's memory
     */
    void fitPool()
            throws SQLException
    {
        // The sum of the files: statistics may be older than the data.
        long data = number("SELECT CAST(SUM(file_size) AS SIGNED) FROM information_schema.innodb_tablespaces WHERE name LIKE 'tpch/%' OR name LIKE 'mysql_pq_bench/%'");
        long wanted = (long) (data * ROOM_FOR_OTHER_PAGES);
        if (number("SELECT @@innodb_buffer_pool_size") < wanted) {
            long memory = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
            if (wanted > memory / 2) {
                throw new IllegalStateException("A buffer pool for all data needs %d MB, more than half of the machine's %d MB: choose a smaller --scale".formatted(wanted >> 20, memory >> 20));
            }
            mysql.execute("SET GLOBAL innodb_buffer_pool_size = " + wanted);
        }
    }

    /** Keys of orders, spread over the table. */
    List<Long> orderKeys(int count)
            throws SQLException
    {
        long step = Math.max(1, number("SELECT count(*) FROM tpch.orders") / count);
        List<Long> keys = new ArrayList<>();
        try (ResultSet result = mysql.executeQuery("SELECT o_orderkey FROM (SELECT o_orderkey, row_number() OVER (ORDER BY o_orderkey) AS number FROM tpch.orders) AS numbered WHERE number %% %d = 0 LIMIT %d".formatted(step, count))) {
            while (result.next()) {
                keys.add(result.getLong(1));
            }
        }
        return keys;
    }

    private long number(String sql)
            throws SQLException
    {
        try (ResultSet result = mysql.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
