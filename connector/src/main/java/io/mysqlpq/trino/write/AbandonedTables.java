package io.mysqlpq.trino.write;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static io.trino.plugin.base.TemporaryTables.temporaryTableNamePrefix;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.HOURS;

/**
 * Drops temporary tables of writes that nobody will end any more: their coordinator or MySQL went down, or the table could not be dropped.
 *
 * <p>Such a table is known by its name, which Trino makes from a hash of the query's id and a random number. Tables of queries that run on
 * this coordinator stay. Queries of other coordinators are not known here, so only tables are dropped that nobody has written to for long.
 * Each database is looked through once an hour at most, when something is written to it.
 */
public final class AbandonedTables
        implements JdbcQueryEventListener
{
    private static final Logger log = Logger.get(AbandonedTables.class);
    private static final Pattern NAME = Pattern.compile("tmp_trino_[0-9a-f]{8}_[0-9a-f]{8}");
    private static final int MOST_DATABASES = 1000;
    // MySQL forgets the last update of a table when it restarts.
    private static final String OLD_TABLES = """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = ? AND table_type = 'BASE TABLE' AND table_name LIKE 'tmp\\\\_trino\\\\_%'
            AND GREATEST(create_time, COALESCE(update_time, create_time)) < NOW() - INTERVAL ? MICROSECOND""";
    // A table that a session writes to is locked.
    private static final String SESSION = "SET SESSION information_schema_stats_expiry = 0, lock_wait_timeout = 1";

    private final ConnectionFactory connections;
    private final RemoteQueryModifier queryModifier;
    private final Duration maxAge;
    private final Set<String> living = ConcurrentHashMap.newKeySet();
    private final Cache<String, Boolean> looked;

    @Inject
    public AbandonedTables(@ForBaseJdbc ConnectionFactory connections, RemoteQueryModifier queryModifier, AbandonedTablesConfig config, Ticker ticker)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.maxAge = config.getTemporaryTableMaxAge();
        this.looked = CacheBuilder.newBuilder().expireAfterWrite(1, HOURS).maximumSize(MOST_DATABASES).ticker(ticker).build();
    }

    @Override
    public void beginQuery(ConnectorSession session)
    {
        living.add(session.getQueryId());
    }

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        living.remove(session.getQueryId());
    }

    /** Never fails, because a write does not need it. */
    public void drop(ConnectorSession session, String database)
    {
        if (maxAge.toMillis() == 0 || looked.asMap().putIfAbsent(database, true) != null) {
            return;
        }
        try (Connection connection = connections.openConnection(session); Statement statement = connection.createStatement()) {
            statement.execute(queryModifier.apply(session, SESSION));
            for (String table : oldTables(session, connection, database)) {
                drop(session, statement, "%s.%s".formatted(quoted(database), quoted(table)));
            }
        }
        catch (SQLException e) {
            log.warn(e, "Could not look for temporary tables that were left behind in database %s", database);
        }
    }

    private List<String> oldTables(ConnectorSession session, Connection connection, String database)
            throws SQLException
    {
        ImmutableList.Builder<String> tables = ImmutableList.builder();
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, OLD_TABLES))) {
            statement.setString(1, database);
            statement.setLong(2, maxAge.toMillis() * 1000);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    if (NAME.matcher(name).matches() && living.stream().noneMatch(query -> name.startsWith(temporaryTableNamePrefix(query)))) {
                        tables.add(name);
                    }
                }
            }
        }
        return tables.build();
    }

    private void drop(ConnectorSession session, Statement statement, String table)
    {
        try {
            statement.execute(queryModifier.apply(session, "DROP TABLE " + table));
            log.info("Dropped %s, a temporary table that a write had left behind", table);
        }
        catch (SQLException e) {
            log.warn(e, "Could not drop %s, a temporary table that a write has left behind", table);
        }
    }
}
