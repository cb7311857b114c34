package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.lang.Integer.parseInt;

/** Examines MySQL's version, and the account that MySQL takes the session for. */
final class ServerCheck
        implements Check
{
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4}).*");
    // docs/servers.tsv says what ran on which.
    private static final Set<Integer> TESTED_SERIES = ImmutableSet.of(8_04, 9_07);
    // The first with show_gipk_in_create_table_and_information_schema, which each session sets.
    private static final int OLDEST = 8_00_30;

    @Override
    public String name()
    {
        return "server";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        return ImmutableList.of(version(server.connection().getMetaData().getDatabaseProductVersion()), account(server));
    }

    /** @param version as the driver has it, such as 9.7.4-2 */
    static Finding version(String version)
    {
        String found = "MySQL " + version;
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            return Finding.warning("server version", found, "Use MySQL 9.7 or 8.4. This is not a version of MySQL");
        }
        int series = parseInt(numbers.group(1)) * 100 + parseInt(numbers.group(2));
        if (TESTED_SERIES.contains(series)) {
            return Finding.ok("server version", found);
        }
        return series * 100 + parseInt(numbers.group(3)) < OLDEST
                ? Finding.problem("server version", found, "Use MySQL 9.7 or 8.4. Queries fail before 8.0.30, which lacks settings that sessions need")
                : Finding.warning("server version", found, "Use MySQL 9.7 or 8.4: tests ran on these. The extension loads only into the exact version that it was built for");
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
                : Finding.warning("account", server.grantee(), "If Trino has nodes on other hosts, let all log in as one account, such as 'reader'@'10.0.%'. Otherwise queries fail with MYSQL_PQ_SNAPSHOT_LOST");
    }
}
