package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.error.MysqlError;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static java.util.stream.Collectors.joining;

/** Finds tables that the account may not read whole, and other things that it may not see. */
final class PrivilegeCheck
        implements Check
{
    // Opens each of at most this many tables briefly.
    private static final int MOST_TABLES = 200;
    private static final String TABLES = """
            SELECT CONCAT('`', REPLACE(table_schema, '`', '``'), '`.`', REPLACE(table_name, '`', '``'), '`')
            FROM information_schema.tables
            WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
            ORDER BY table_schema, table_name
            LIMIT %s""".formatted(MOST_TABLES + 1);
    private static final List<String> REPLICATION = ImmutableList.of(
            "replication_connection_status",
            "replication_applier_status",
            "replication_applier_status_by_worker",
            "replication_applier_status_by_coordinator",
            "replication_group_members");

    @Override
    public String name()
    {
        return "privileges";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        return ImmutableList.of(tables(server), replication(server), statements(server));
    }

    private static Finding tables(ExaminedServer server)
            throws SQLException
    {
        String check = "privileges on tables";
        List<String> tables = server.rows(TABLES).stream().map(List::getFirst).toList();
        if (tables.isEmpty()) {
            return Finding.problem(check, "the account sees no table", server.whereWritten("GRANT SELECT ON `schema`.* TO %s, with the name of each schema that is to be read".formatted(server.grantee())));
        }
        ImmutableList.Builder<String> denied = ImmutableList.builder();
        for (String table : tables.subList(0, Math.min(tables.size(), MOST_TABLES))) {
            Optional<SQLException> failure = server.failure("SELECT * FROM %s LIMIT 0".formatted(table));
            if (failure.filter(MysqlError::isPrivilegeMissing).isPresent()) {
                denied.add(table);
            }
            else if (failure.isPresent()) {
                // The table may be locked, for example. Each of the next ones might take as long.
                return Finding.warning(check, "not known: table %s could not be opened: %s".formatted(table, failure.get().getMessage()), "Run doctor again when the table can be opened");
            }
        }
        List<String> missing = denied.build();
        String looked = tables.size() > MOST_TABLES ? "the first %s tables".formatted(MOST_TABLES) : "%s tables".formatted(tables.size());
        return missing.isEmpty()
                ? Finding.ok(check, "SELECT on all columns of " + looked)
                : Finding.warning(
                        check,
                        "SELECT on all columns is missing for %s of %s: ranges need the key's columns, estimates need all columns".formatted(missing.size(), looked),
                        server.whereWritten(missing.stream().map(table -> "GRANT SELECT ON %s TO %s".formatted(table, server.grantee())).collect(joining("; "))));
    }

    private static boolean isDenied(ExaminedServer server, String sql)
            throws SQLException
    {
        return server.failure(sql).filter(MysqlError::isPrivilegeMissing).isPresent();
    }

    private static Finding replication(ExaminedServer server)
            throws SQLException
    {
        ImmutableList.Builder<String> denied = ImmutableList.builder();
        for (String table : REPLICATION) {
            if (isDenied(server, "SELECT * FROM performance_schema.%s LIMIT 0".formatted(table))) {
                denied.add("GRANT SELECT ON performance_schema.%s TO %s".formatted(table, server.grantee()));
            }
        }
        List<String> missing = denied.build();
        return missing.isEmpty()
                ? Finding.ok("privileges on replication", "the account may see lag and group")
                : Finding.warning("privileges on replication", "the account may not read lag and group state: queries fail if max-replica-lag or throttle-replica-lag is set", server.whereWritten(String.join("; ", missing)));
    }

    // An account with this privilege sees the sessions of others.
    private static Finding statements(ExaminedServer server)
            throws SQLException
    {
        // MySQL opens this table for those who have it, by a role too.
        boolean isGranted = !isDenied(server, "SELECT COUNT(*) FROM information_schema.innodb_trx");
        return isGranted
                ? Finding.ok("privilege PROCESS", "running_scans shows all accounts")
                : Finding.ok("privilege PROCESS", "running_scans shows this account only; with PROCESS it shows all accounts", server.whereWritten("GRANT PROCESS ON *.* TO " + server.grantee()));
    }
}
