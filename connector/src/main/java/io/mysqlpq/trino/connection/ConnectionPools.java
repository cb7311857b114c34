package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import com.mysql.cj.jdbc.Driver;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.security.ConnectorIdentity;
import jakarta.annotation.PreDestroy;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;

/** Keeps one pool of connections for each MySQL account that this node reads with. */
public final class ConnectionPools
{
    /**
     * Connections beyond the permits that one pool may hold: the one that each scan is guaranteed (see
     * ConnectionPermits), planning, and ending abandoned queries.
     */
    private static final int CONNECTIONS_WITHOUT_PERMIT = 1024;
    private static final int MAX_POOLS = 1024;

    private final ConnectionSettings settings;
    private final CredentialProvider credentials;
    private final QueryKiller queryKiller;
    private final ScheduledExecutorService housekeeper;
    // Least recently used first.
    private final LinkedHashMap<Account, HikariDataSource> pools = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    @Inject
    public ConnectionPools(ConnectionSettings settings, CredentialProvider credentials)
    {
        this.settings = requireNonNull(settings, "settings is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.queryKiller = new QueryKiller(settings.catalog());
        this.housekeeper = newSingleThreadScheduledExecutor(daemonThreadsNamed(settings.catalog() + "-pool-%s"));
    }

    /** Takes a connection of the identity's account, waiting at most {@code connection-wait-timeout}. */
    public PooledConnection open(ConnectorIdentity identity)
            throws SQLException
    {
        HikariDataSource pool = pool(Account.of(credentials, identity));
        try {
            return new PooledConnection(pool, pool.getConnection(), queryKiller);
        }
        catch (SQLTransientConnectionException e) {
            throw new TrinoException(
                    MYSQL_PQ_CONNECTION_WAIT_TIMEOUT,
                    "No connection to MySQL within %s. Raise connection-wait-timeout, or lower max-connections-per-node below MySQL's max_connections".formatted(settings.waitTimeout()),
                    e);
        }
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
        }
        return pool;
    }

    private HikariDataSource createPool(Account account)
            throws SQLException
    {
        HikariConfig config = new HikariConfig();
        config.setPoolName("%s-%s".formatted(settings.catalog(), account));
        config.setDriverClassName(Driver.class.getName());
        config.setJdbcUrl(settings.url());
        settings.driverProperties().forEach(config::addDataSourceProperty);
        account.user().ifPresent(config::setUsername);
        account.password().ifPresent(config::setPassword);
        config.setReadOnly(true);
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(settings.maxConnections() + CONNECTIONS_WITHOUT_PERMIT);
        config.setIdleTimeout(settings.idleTimeout().toMillis());
        config.setConnectionTimeout(settings.waitTimeout().toMillis());
        config.setThreadFactory(daemonThreadsNamed(settings.catalog() + "-pool-%s"));
        config.setScheduledExecutor(housekeeper);
        try {
            return new HikariDataSource(config);
        }
        catch (PoolInitializationException e) {
            throwIfInstanceOf(e.getCause(), SQLException.class);
            throw e;
        }
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
