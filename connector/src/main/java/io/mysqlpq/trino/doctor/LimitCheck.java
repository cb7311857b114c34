package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import static java.lang.Math.max;

/** Compares MySQL's limits with the needs of parallel reads. */
final class LimitCheck
        implements Check
{
    // A batch of a native scan has a megabyte, and up to half of one more.
    private static final long LEAST_PACKET_BYTES = 2 << 20;
    private static final long LEAST_TEMPTABLE_BYTES = 64 << 20;
    // The coordinator has 4 for metadata, and each node up to 3. Nobody tells a worker how many nodes there are.
    private static final int RESERVE = 20;
    private static final int LEAST_OTHERS = 20;
    private static final int OTHERS_PART = 10;

    private final int connections;

    /** @param connections that the catalog may have, without its reserve */
    LimitCheck(int connections)
    {
        this.connections = connections;
    }

    @Override
    public String name()
    {
        return "limits";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        List<Finding> findings = new ArrayList<>();
        findings.add(maxConnections(server.number("SELECT @@GLOBAL.max_connections")));
        findings.add(maxUserConnections(server));
        findings.add(executionTime(server.number("SELECT @@GLOBAL.max_execution_time")));
        findings.add(Finding.ok("net_write_timeout", "%s s for all; Trino's sessions set net-write-timeout".formatted(server.number("SELECT @@GLOBAL.net_write_timeout"))));
        findings.add(packet(server.number("SELECT @@GLOBAL.max_allowed_packet")));
        findings.add(temporaryTables(server.number("SELECT @@GLOBAL.temptable_max_ram"), server.number("SELECT @@GLOBAL.temptable_max_mmap")));
        for (List<String> limit : server.rows("SHOW GLOBAL VARIABLES WHERE variable_name IN ('mysql_pq_max_snapshots', 'mysql_pq_max_scans')")) {
            findings.add(extensionLimit(limit.get(0), Long.parseLong(limit.get(1))));
        }
        return ImmutableList.copyOf(findings);
    }

    private Finding maxConnections(long limit)
    {
        int others = max(LEAST_OTHERS, connections / OTHERS_PART);
        int needed = connections + RESERVE + others;
        return limit >= needed
                ? Finding.ok("max_connections", String.valueOf(limit))
                : Finding.warning(
                        "max_connections",
                        "%s, and %s are needed: %s of max-connections-per-server, %s for metadata and monitoring of up to five nodes, and %s for other clients".formatted(limit, needed, connections, RESERVE, others),
                        "SET PERSIST max_connections = %s -- or lower max-connections-per-server".formatted(needed));
    }

    private Finding maxUserConnections(ExaminedServer server)
            throws SQLException
    {
        long limit = server.number("SELECT @@SESSION.max_user_connections");
        int needed = connections + RESERVE;
        return limit == 0 || limit >= needed
                ? Finding.ok("max_user_connections", limit == 0 ? "no limit" : String.valueOf(limit))
                : Finding.warning(
                        "max_user_connections",
                        "%s for this account, and %s are needed: %s of max-connections-per-server, and %s for metadata and monitoring of up to five nodes".formatted(limit, needed, connections, RESERVE),
                        server.whereWritten("ALTER USER %s WITH MAX_USER_CONNECTIONS %s -- or lower max-connections-per-server".formatted(server.grantee(), needed)));
    }

    private static Finding executionTime(long limitMillis)
    {
        return limitMillis == 0
                ? Finding.ok("max_execution_time", "no limit")
                : Finding.warning("max_execution_time", "%s ms: each range that takes longer fails with error 3024".formatted(limitMillis), "SET PERSIST max_execution_time = 0");
    }

    private static Finding packet(long bytes)
    {
        return bytes >= LEAST_PACKET_BYTES
                ? Finding.ok("max_allowed_packet", "%s bytes".formatted(bytes))
                : Finding.warning("max_allowed_packet", "%s bytes: batches of native scans have up to 1.5 MB".formatted(bytes), "SET PERSIST max_allowed_packet = 67108864");
    }

    private static Finding temporaryTables(long memoryBytes, long diskBytes)
    {
        String found = "temptable_max_ram %s bytes, temptable_max_mmap %s bytes".formatted(memoryBytes, diskBytes);
        return memoryBytes >= LEAST_TEMPTABLE_BYTES
                ? Finding.ok("temporary tables", found)
                : Finding.warning("temporary tables", found + ", for the groups of all pushed aggregations together", "SET PERSIST temptable_max_ram to a few percent of the memory");
    }

    private Finding extensionLimit(String variable, long limit)
    {
        // A query needs one snapshot, and one session that reads in it for each connection.
        long needed = variable.equals("mysql_pq_max_scans") ? connections : 1;
        return limit >= needed
                ? Finding.ok(variable, String.valueOf(limit))
                : Finding.warning(variable, "%s, and %s may be needed".formatted(limit, needed), "SET PERSIST %s = 256".formatted(variable));
    }
}
