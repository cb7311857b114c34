package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.airlift.units.Duration;
import io.mysqlpq.trino.error.MysqlError;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.QueryId;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import org.weakref.jmx.Managed;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

import static com.google.common.collect.Comparators.min;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Keeps one pool of connections for each MySQL account that this node reads with. */
public final class ConnectionPools
{
    // This is more than a catalog may have. NodeConnections says how many there really are.
    private static final int MAX_POOL_SIZE = 200_000;
    private static final int MAX_POOLS = 1024;
    // HikariCP takes no less. A refused login is noticed between two steps.
    private static final int WAIT_STEP_MILLIS = 250;
    private static final long KEEP_NONE_NANOS = SECONDS.toNanos(5);
    private static final Duration SHORT_WAIT = new Duration(1, SECONDS);
    private static final Duration SHORT_REPLY_TIME = new Duration(5, SECONDS);

    private final CatalogName catalog;
    private final DriverLogin login;
    private final ConnectionConfig config;
    private final SessionSetup sessionSetup;
    private final CredentialProvider credentials;
    private final NodeConnections node;
    private final EndedQueries endedQueries;
    private final StatementSpans spans;
    private final QueryKiller queryKiller;
    private final ScheduledExecutorService housekeeper;
    // Least recently used first.
    private final LinkedHashMap<Account, HikariDataSource> pools = new LinkedHashMap<>(16, 0.75f, true);
    private final AtomicLong refused = new AtomicLong();
    // When a server, or an account, last refused a connection because it was full.
    private volatile long refusedNanos = nanoTime() - KEEP_NONE_NANOS;
    @Nullable
    private Account firstAccount;
    private boolean severalAccounts;
    private boolean closed;

    @Inject
    public ConnectionPools(CatalogName catalog, DriverLogin login, ConnectionConfig config, CredentialProvider credentials, NodeConnections node, EndedQueries endedQueries, OpenTelemetry openTelemetry)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.login = requireNonNull(login, "login is null");
        this.config = requireNonNull(config, "config is null");
        this.sessionSetup = new SessionSetup(config.getNetWriteTimeout(), config.getTableLockTimeout());
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.node = requireNonNull(node, "node is null");
        this.endedQueries = requireNonNull(endedQueries, "endedQueries is null");
        this.spans = new StatementSpans(openTelemetry);
        this.queryKiller = new QueryKiller(catalog.toString());
        this.housekeeper = newSingleThreadScheduledExecutor(daemonThreadsNamed(catalog + "-pool-%s"));
    }

    /** The longest wait for a connection, or for a place among the readers that MySQL allows. */
    public Duration waitTimeout()
    {
        return config.getConnectionWaitTimeout();
    }

    /** Longest wait for a table that another statement has locked. */
    public Duration lockWaitTimeout()
    {
        return sessionSetup.lockWaitTimeout();
    }

    /** Returns the account by which MySQL knows the session. */
    public Optional<String> accountName(ConnectorSession session)
    {
        return account(session).user();
    }

    /** Returns the account whose connections the session takes. */
    public Account account(ConnectorSession session)
    {
        return Account.of(credentials, session.getIdentity());
    }

    /** Takes a connection of the session's account for a reader, who has a permit, waiting at most {@code connection-wait-timeout}. */
    public PooledConnection open(ConnectorSession session)
            throws SQLException
    {
        return open(session, sessionSetup, config.getConnectionWaitTimeout());
    }

    private PooledConnection open(ConnectorSession session, SessionSetup setup, Duration waitTimeout)
            throws SQLException
    {
        Account account = account(session);
        long start = nanoTime();
        while (true) {
            HikariDataSource pool = pool(account);
            try {
                makeRoom(pool);
                PooledConnection connection = new PooledConnection(pool, pool.getConnection(), spans, queryKiller, new QueryId(session.getQueryId()), this::isSurplus);
                connection.setUp(setup, waitTimeout, config.getReplyTimeout());
                return connection;
            }
            catch (SQLTransientConnectionException e) {
                throwIfRefused(pool, e.getCause(), start);
                if (e.getCause() instanceof SQLException refusal && MysqlError.isServerFull(refusal)) {
                    // This account has no idle session, so other accounts give theirs up.
                    boolean _ = giveIdleUp();
                }
                if (nanosSince(start).compareTo(waitTimeout) >= 0) {
                    throw waitedTooLong(e, waitTimeout);
                }
            }
            catch (SQLException e) {
                // The pool may have been closed as the least recently used of too many, and its connection be lost.
                boolean isOver = nanosSince(start).compareTo(waitTimeout) >= 0;
                if (isOver && MysqlError.isSilence(e)) {
                    throw silent(e, waitTimeout);
                }
                if (isOver || !(pool.isClosed() || MysqlError.isConnectionLost(e))) {
                    throw e;
                }
            }
        }
    }

    /** Takes a connection for a snapshot. The caller has a permit for it. The limit to the wait for each reply is {@code planning-timeout}. */
    public PooledConnection openForSnapshot(ConnectorSession session)
            throws SQLException
    {
        return open(session, sessionSetup, config.getConnectionWaitTimeout(), config.getPlanningTimeout(), () -> {});
    }

    /** Takes a connection for planning, when there is a permit for it. Its thread must not ask for another one before it returns this one. */
    public PooledConnection openForPlanning(ConnectorSession session)
            throws SQLException
    {
        return open(session, sessionSetup, config.getConnectionWaitTimeout(), config.getPlanningTimeout(), planningPermit(session)::close);
    }

    /**
     * Takes a connection for planning that waits for a locked table for a second at most. A caller that has to wait longer gives the
     * connection back and asks for it again, so that queries of other tables are planned meanwhile.
     */
    public PooledConnection openForTurnOfPlanning(ConnectorSession session)
            throws SQLException
    {
        return open(session, sessionSetup.withLockWaitTimeout(min(SHORT_WAIT, sessionSetup.lockWaitTimeout())), config.getConnectionWaitTimeout(), config.getPlanningTimeout(), planningPermit(session)::close);
    }

    /**
     * Takes a connection for planning with short waits: a second at most for the permit, for MySQL to accept the connection, and for a
     * locked table, and five seconds for a reply.
     */
    public PooledConnection openBriefly(ConnectorSession session)
            throws SQLException
    {
        return openBriefly(session, planningPermitSoon(session)::close);
    }

    /** Takes a connection in place of one that a reader or a donor has lost. Its owner still holds a permit, so it waits for no other. */
    public PooledConnection openInPlaceOfLost(ConnectorSession session)
            throws SQLException
    {
        return openBriefly(session, () -> {});
    }

    /** Takes a connection of the reserve, for the one thread that watches the server. */
    public PooledConnection openToWatch(ConnectorSession session)
            throws SQLException
    {
        return openBriefly(session, () -> {});
    }

    private PooledConnection openBriefly(ConnectorSession session, Runnable returned)
            throws SQLException
    {
        return open(session, sessionSetup.withLockWaitTimeout(SHORT_WAIT), SHORT_WAIT, SHORT_REPLY_TIME, returned);
    }

    /** @param returned told when the connection is given back, its session ended in MySQL, or there is none */
    private PooledConnection open(ConnectorSession session, SessionSetup setup, Duration waitTimeout, Duration replyTime, Runnable returned)
            throws SQLException
    {
        PooledConnection connection;
        boolean opened = false;
        try {
            connection = open(session, setup, waitTimeout);
            opened = true;
        }
        finally {
            if (!opened) {
                returned.run();
            }
        }
        connection.whenReturned(returned);
        limitReplyTime(connection, replyTime);
        return connection;
    }

    private static void limitReplyTime(PooledConnection connection, Duration replyTime)
            throws SQLException
    {
        try {
            connection.limitReplyTime(replyTime);
        }
        catch (SQLException | RuntimeException e) {
            connection.discard();
            throw e;
        }
    }

    private ConnectionQueue.Permit planningPermit(ConnectorSession session)
    {
        return ConnectionQueue.await(node.planning().acquire(session.getUser()), () -> endedQueries.checkWanted(session));
    }

    private ConnectionQueue.Permit planningPermitSoon(ConnectorSession session)
    {
        long start = nanoTime();
        return ConnectionQueue.await(node.planning().acquire(session.getUser()), () -> {
            if (nanosSince(start).compareTo(SHORT_WAIT) >= 0) {
                throw new TrinoException(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT, "No connection for planning was free within " + SHORT_WAIT);
            }
        });
    }

    /**
     * Waits for a permit of the reserve for metadata. The caller opens the connection itself. A query that has ended may wait too, because
     * a write that failed drops its temporary table then.
     */
    public ConnectionQueue.Permit metadataPermit(ConnectorSession session)
    {
        return ConnectionQueue.await(node.metadata().acquire(session.getUser()));
    }

    /**
     * Lowers the number of connections that are divided, if MySQL allows the session's account fewer. Nothing tells a limit that several
     * accounts share.
     *
     * @param limit sessions that MySQL allows the session's account; 0 if it sets no limit
     */
    public void learnLimit(ConnectorSession session, int limit)
    {
        node.allow(isOnlyAccount(account(session)) && limit > 0 ? limit : Integer.MAX_VALUE);
    }

    private synchronized boolean isOnlyAccount(Account account)
    {
        if (firstAccount == null) {
            firstAccount = account;
        }
        // Its password may change.
        severalAccounts |= !account.user().equals(firstAccount.user());
        return !severalAccounts;
    }

    /** Runs whenever somebody begins to wait for such a permit. A connection that is kept for later use should then be closed. */
    public void whenMetadataWaits(Runnable onWait)
    {
        node.metadata().whenWaitedFor(onWait);
    }

    public boolean isMetadataWaitedFor()
    {
        return node.metadata().waiting() > 0;
    }

    /** Runs a task that may block, on the thread that looks after pools. */
    public void later(Runnable task, int millis)
    {
        try {
            var _ = housekeeper.schedule(task, millis, MILLISECONDS);
        }
        catch (RejectedExecutionException e) {
            // The catalog is shut down.
            task.run();
        }
    }

    /** Closes connections that nobody uses, because MySQL has no room for another one. Returns whether there were any. */
    public synchronized boolean giveIdleUp()
    {
        refusedNanos = nanoTime();
        boolean gave = false;
        for (HikariDataSource pool : pools.values()) {
            gave |= giveIdleUp(pool);
        }
        return gave;
    }

    private static boolean giveIdleUp(HikariDataSource pool)
    {
        if (pool.getHikariPoolMXBean().getIdleConnections() == 0) {
            return false;
        }
        pool.getHikariPoolMXBean().softEvictConnections();
        return true;
    }

    // Idle connections of one account must not keep another one from its share. Those of accounts that were not used for longest go first.
    private synchronized void makeRoom(HikariDataSource wanted)
    {
        if (wanted.getHikariPoolMXBean().getIdleConnections() > 0) {
            return;
        }
        for (HikariDataSource pool : pools.values()) {
            if (total(HikariPoolMXBean::getTotalConnections) < node.limit()) {
                return;
            }
            boolean _ = giveIdleUp(pool);
        }
    }

    // Other nodes may want what MySQL just refused here.
    private boolean isSurplus()
    {
        return nanoTime() - refusedNanos < KEEP_NONE_NANOS || isOverLimit();
    }

    // The node's share became smaller, or MySQL took a connection over that was not needed in the end.
    private boolean isOverLimit()
    {
        try {
            return total(HikariPoolMXBean::getTotalConnections) > node.limit();
        }
        catch (TrinoException _) {
            // There are more workers than connections for them.
            return true;
        }
    }

    // Waiting does not help against a wrong password, a locked account or a wrong certificate.
    private static void throwIfRefused(HikariDataSource pool, Throwable cause, long start)
            throws SQLException
    {
        if (!(cause instanceof SQLException e) || !((PoolLogins) pool.getDataSource()).hasFailedSince(start)) {
            return;
        }
        if (MysqlError.isLoginRefused(e)) {
            throw e;
        }
        Optional<String> tlsRefusal = MysqlError.tlsRefusal(e);
        if (tlsRefusal.isPresent()) {
            // No SQLException: its state would say that a connection was lost, and the caller would try again.
            throw new TrinoException(JDBC_ERROR, tlsRefusal.get(), e);
        }
    }

    @Managed(description = "Reads and plans that got no connection within connection-wait-timeout")
    public long getRefused()
    {
        return refused.get();
    }

    @Managed(description = "Connections in use: by splits, snapshots and plans")
    public int getActive()
    {
        return total(HikariPoolMXBean::getActiveConnections);
    }

    @Managed(description = "Connections kept open for later use")
    public int getIdle()
    {
        return total(HikariPoolMXBean::getIdleConnections);
    }

    private synchronized int total(ToIntFunction<HikariPoolMXBean> connections)
    {
        return pools.values().stream().map(HikariDataSource::getHikariPoolMXBean).mapToInt(connections).sum();
    }

    private TrinoException waitedTooLong(SQLTransientConnectionException cause, Duration waitTimeout)
    {
        recordRefused(waitTimeout);
        String reason = cause.getCause() instanceof SQLException e ? MysqlError.reason(e) : "all connections are in use";
        return new TrinoException(
                MYSQL_PQ_CONNECTION_WAIT_TIMEOUT,
                "No connection to MySQL within %s: %s%s".formatted(waitTimeout, reason, isLongWait(waitTimeout) ? ". Raise connection-wait-timeout, or lower max-connections-per-server below MySQL's max_connections and the account's MAX_USER_CONNECTIONS" : ""),
                cause);
    }

    private TrinoException silent(SQLException cause, Duration waitTimeout)
    {
        recordRefused(waitTimeout);
        return new TrinoException(
                MYSQL_PQ_CONNECTION_WAIT_TIMEOUT,
                "MySQL was silent for %s while a session was set up%s".formatted(waitTimeout, isLongWait(waitTimeout) ? ". Run the query again, or raise connection-wait-timeout" : ""),
                cause);
    }

    private void recordRefused(Duration waitTimeout)
    {
        if (isLongWait(waitTimeout)) {
            refused.incrementAndGet();
        }
    }

    // A caller that asks for a short wait goes on without a connection, or says what to do.
    private boolean isLongWait(Duration waitTimeout)
    {
        return waitTimeout.equals(config.getConnectionWaitTimeout());
    }

    private synchronized HikariDataSource pool(Account account)
            throws SQLException
    {
        if (closed) {
            throw new SQLException("The catalog is shut down");
        }
        HikariDataSource pool = pools.get(account);
        if (pool == null) {
            pool = createPool(account);
            pools.put(account, pool);
            closeIdlePools();
            closePoolsOfOldPasswords(account);
        }
        return pool;
    }

    // Connects to nothing yet.
    private HikariDataSource createPool(Account account)
    {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("%s-%s".formatted(catalog, account));
        pool.setDataSource(driverDataSource());
        account.user().ifPresent(pool::setUsername);
        account.password().ifPresent(pool::setPassword);
        pool.setReadOnly(true);
        pool.setMinimumIdle(0);
        pool.setMaximumPoolSize(MAX_POOL_SIZE);
        pool.setIdleTimeout(config.getConnectionIdleTimeout().toMillis());
        pool.setMaxLifetime(config.getConnectionMaxLifetime().toMillis());
        // Connections are gone before anything between here and MySQL forgets them.
        pool.setKeepaliveTime(0);
        pool.setInitializationFailTimeout(-1);
        pool.setConnectionTimeout(WAIT_STEP_MILLIS);
        pool.setThreadFactory(daemonThreadsNamed(catalog + "-pool-%s"));
        pool.setScheduledExecutor(housekeeper);
        return new HikariDataSource(pool);
    }

    // The driver's own data source ignores login time-outs, which a pool over DriverManager sets for the whole JVM.
    private PoolLogins driverDataSource()
    {
        PoolLogins dataSource = new PoolLogins();
        dataSource.setUrl(login.url());
        Properties properties = new Properties();
        properties.putAll(login.properties());
        dataSource.initializeProperties(properties);
        return dataSource;
    }

    private void closeIdlePools()
    {
        Iterator<Map.Entry<Account, HikariDataSource>> oldest = pools.entrySet().iterator();
        while (pools.size() > MAX_POOLS && oldest.hasNext()) {
            HikariDataSource pool = oldest.next().getValue();
            if (pool.getHikariPoolMXBean().getActiveConnections() == 0) {
                oldest.remove();
                pool.close();
            }
        }
    }

    // An account that gets a new password every few minutes would leave a pool for each.
    private void closePoolsOfOldPasswords(Account account)
    {
        pools.entrySet().removeIf(other -> {
            boolean isOld = other.getKey().user().equals(account.user()) && !other.getKey().equals(account) && other.getValue().getHikariPoolMXBean().getTotalConnections() == 0;
            if (isOld) {
                other.getValue().close();
            }
            return isOld;
        });
    }

    @PreDestroy
    public synchronized void close()
    {
        closed = true;
        queryKiller.close();
        pools.values().forEach(HikariDataSource::close);
        pools.clear();
        housekeeper.shutdownNow();
    }
}
