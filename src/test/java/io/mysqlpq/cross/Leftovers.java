package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks for what ended queries left in MySQL.
 */
public final class Leftovers
{
    public static final Duration LIMIT = Duration.ofSeconds(30);
    // InnoDB shows the same transactions again to whom asks again within 100 ms.
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private Leftovers()
    {}

    public static void assertNone(MysqlServer mysql)
    {
        try {
            Await.until("no statement, transaction and snapshot is left in MySQL", LIMIT, INTERVAL, () -> of(mysql).isEmpty());
        }
        catch (AssertionError e) {
            throw new AssertionError("Left in MySQL after %s: %s".formatted(LIMIT, of(mysql)), e);
        }
    }

    // Lists what is left of all sessions but this one, and in the extension's registry if its table is installed.
    static List<String> of(MysqlServer mysql)
    {
        List<String> left = new ArrayList<>(ofSessions(mysql));
        if (!MysqlRows.read(mysql, "SELECT 1 FROM information_schema.plugins WHERE plugin_name = 'mysql_pq_snapshots'").isEmpty()) {
            left.addAll(MysqlRows.read(mysql, "SELECT CONCAT('snapshot of ', connection_id) FROM information_schema.mysql_pq_snapshots"));
        }
        return left;
    }

    public static void installRegistryTable(MysqlServer mysql)
    {
        mysql.execute("INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'");
    }

    /** All of them, idle ones too, but for the caller's. */
    public static long sessions(MysqlServer mysql)
    {
        return Long.parseLong(MysqlRows.read(mysql, "SELECT count(*) FROM performance_schema.processlist WHERE command <> 'Daemon' AND user <> 'event_scheduler' AND id <> CONNECTION_ID()").getFirst());
    }

    /** Fails if a catalog's splits hold connections, or wait for them. */
    public static void assertNoPermit(String catalog)
    {
        Await.until("no permit for a connection of catalog %s is held or waited for".formatted(catalog), LIMIT, () -> permits(catalog) == 0);
    }

    private static long permits(String catalog)
    {
        try {
            MBeanServer beans = getPlatformMBeanServer();
            Set<ObjectName> names = beans.queryNames(new ObjectName("*:type=ConnectionPermits,name=%s,*".formatted(catalog)), null);
            assertThat(names).as("permits of catalog %s", catalog).isNotEmpty();
            long permits = 0;
            for (ObjectName name : names) {
                permits += (int) beans.getAttribute(name, "Running") + (int) beans.getAttribute(name, "Waiting");
            }
            return permits;
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails if pools, snapshots or anything else still works for a catalog that was dropped. */
    public static void assertNoThread(String catalog)
    {
        try {
            Await.until("no thread of catalog %s is left".formatted(catalog), LIMIT, () -> threads(catalog).isEmpty());
        }
        catch (AssertionError e) {
            throw new AssertionError("Left in the JVM after %s: %s".formatted(LIMIT, threads(catalog)), e);
        }
    }

    private static List<String> threads(String catalog)
    {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith(catalog + "-") && !isIdle(thread.getValue()))
                .map(thread -> "%s at %s".formatted(thread.getKey().getName(), List.of(thread.getValue())))
                .toList();
    }

    // base-jdbc's executor lets a thread that has nothing to do end by itself, within a minute.
    private static boolean isIdle(StackTraceElement[] stack)
    {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.SynchronousQueue") && frame.getMethodName().equals("poll"));
    }

    private static List<String> ofSessions(MysqlServer mysql)
    {
        return MysqlRows.read(mysql, """
                SELECT info FROM performance_schema.processlist
                WHERE command NOT IN ('Sleep', 'Daemon') AND user <> 'event_scheduler' AND id <> CONNECTION_ID()
                UNION ALL
                SELECT CONCAT('transaction of ', trx_mysql_thread_id, ' since ', trx_started, ', idle for ', t.processlist_time, ' s after ', s.event_name, ' ', COALESCE(s.sql_text, ''))
                FROM information_schema.innodb_trx
                LEFT JOIN performance_schema.threads t ON t.processlist_id = trx_mysql_thread_id
                LEFT JOIN performance_schema.events_statements_current s USING (thread_id)""");
    }
}
