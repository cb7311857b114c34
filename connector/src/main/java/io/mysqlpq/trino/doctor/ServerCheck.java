package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;

/** Examines MySQL's version, and the account that MySQL takes the session for. */
final class ServerCheck
        implements Check
{
    private static final int TESTED = 907;
    private static final int OLDEST = 800;

    @Override
    public String name()
    {
        return "server";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        return ImmutableList.of(version(server), account(server));
    }

    private static Finding version(ExaminedServer server)
            throws SQLException
    {
        DatabaseMetaData metadata = server.connection().getMetaData();
        String found = "MySQL " + metadata.getDatabaseProductVersion();
        int version = metadata.getDatabaseMajorVersion() * 100 + metadata.getDatabaseMinorVersion();
        if (version == TESTED) {
            return Finding.ok("server version", found);
        }
        return version < OLDEST
                ? Finding.problem("server version", found, "Use MySQL 9.7: sessions need settings that this version lacks")
                : Finding.warning("server version", found, "Use MySQL 9.7, the only version that is tested; the extension loads in no other");
    }

    // A snapshot is lent to readers of one account, which is user and host.
    private static Finding account(ExaminedServer server)
            throws SQLException
    {
        String host = server.text("SELECT SUBSTRING_INDEX(CURRENT_USER(), '@', -1)").orElse("");
        boolean isOfManyHosts = host.contains("%") || host.contains("_") || host.contains("/");
        boolean isLocal = host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
        return isOfManyHosts || isLocal
                ? Finding.ok("account", server.grantee())
                : Finding.warning("account", server.grantee(), "If Trino has more nodes than this host, let all log in as one account, such as 'reader'@'10.0.%': else queries fail with MYSQL_PQ_SNAPSHOT_LOST");
    }
}
