package io.mysqlpq.trino.tables;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.hash.HashCode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.mysqlpq.trino.server.ServerConfig;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.session.PropertyMetadata;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.types.TypeSessionProperties.EXTENDED_TYPES;
import static io.mysqlpq.trino.types.TypeSessionProperties.INVALID_DATE_HANDLING;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.DECIMAL_DEFAULT_SCALE;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.DECIMAL_MAPPING;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.DECIMAL_ROUNDING_MODE;
import static io.trino.plugin.jdbc.TypeHandlingJdbcSessionProperties.UNSUPPORTED_TYPE_HANDLING;
import static java.util.Objects.requireNonNull;

/**
 * Remembers which tables exist and which columns they have. Asks MySQL before each use whether that is still true.
 *
 * <p>MySQL shows a definition at a small part of the cost of listing columns from its dictionary's tables. Remembered columns count only if
 * the hash of the definition is the same. A query asks once for each of its tables, and once more when it begins to write.
 */
public final class VerifiedTableCache
{
    // All properties that a column's type depends on. Others differ between sessions without a difference to what a table is, such as the name of a snapshot group.
    private static final ImmutableSet<String> TYPE_PROPERTIES = ImmutableSet.of(
            EXTENDED_TYPES,
            INVALID_DATE_HANDLING,
            UNSUPPORTED_TYPE_HANDLING,
            DECIMAL_MAPPING,
            DECIMAL_DEFAULT_SCALE,
            DECIMAL_ROUNDING_MODE);

    private final TableDefinitions definitions;
    private final List<PropertyMetadata<?>> properties;
    private final boolean enabled;
    private final Bounded<Key, Known> tables;
    // Tables that a query has compared, and found as they are remembered.
    private final Bounded<Asked, Known> unchanged;
    // Tables that a query just read from the dictionary, and whose columns it will ask for next.
    private final Bounded<Asked, Known> read;

    @Inject
    public VerifiedTableCache(TableDefinitions definitions, ServerConfig config, Set<SessionPropertiesProvider> properties)
    {
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.enabled = config.getMaxRememberedTables() > 0;
        this.tables = new Bounded<>(config.getMaxRememberedTables());
        this.unchanged = new Bounded<>(config.getMaxRememberedTables());
        this.read = new Bounded<>(config.getMaxRememberedTables());
        this.properties = properties.stream().flatMap(provider -> provider.getSessionProperties().stream()).filter(property -> TYPE_PROPERTIES.contains(property.getName())).collect(toImmutableList());
    }

    public boolean isEnabled()
    {
        return enabled;
    }

    /** Returns the table, if it is still what it was. */
    public Optional<JdbcTableHandle> table(ConnectorSession session, SchemaTableName name)
    {
        return check(session, key(session, name)).map(Known::table);
    }

    /** The table's columns, if they are what they were when the query first asked. */
    public Optional<List<JdbcColumnHandle>> columns(ConnectorSession session, SchemaTableName name)
    {
        Key key = key(session, name);
        Asked asked = new Asked(session.getQueryId(), key);
        Known checked = unchanged.get(asked);
        if (checked != null) {
            return Optional.of(checked.columns());
        }
        return read.contains(asked) ? Optional.empty() : check(session, key).map(Known::columns);
    }

    /** The columns that the table had when it was last asked for. */
    public Optional<List<JdbcColumnHandle>> lastColumns(ConnectorSession session, SchemaTableName name)
    {
        return Optional.ofNullable(tables.get(key(session, name))).map(Known::columns);
    }

    /** Makes the query's next question ask MySQL again. */
    public void askAgain(ConnectorSession session, SchemaTableName name)
    {
        unchanged.remove(new Asked(session.getQueryId(), key(session, name)));
    }

    private Optional<Known> check(ConnectorSession session, Key key)
    {
        Asked asked = new Asked(session.getQueryId(), key);
        unchanged.remove(asked);
        Known known = tables.get(key);
        if (known == null) {
            return Optional.empty();
        }
        if (definitions.read(session, known.table()).filter(known.definition()::equals).isPresent()) {
            unchanged.put(asked, known);
            return Optional.of(known);
        }
        tables.remove(key);
        return Optional.empty();
    }

    /**
     * Takes over a table that was read from the dictionary, and whose columns will be.
     *
     * @param again reads it once more: what was read before the definition may be older, the comment for one
     */
    public void learn(ConnectorSession session, SchemaTableName name, JdbcTableHandle table, Supplier<Optional<JdbcTableHandle>> again)
    {
        definitions.readIfAllowed(session, table).ifPresent(definition -> again.get().ifPresent(
                handle -> read.put(new Asked(session.getQueryId(), key(session, name)), new Known(definition, handle, ImmutableList.of()))));
    }

    /** Takes over the columns, unless the table was altered while they were read. */
    public void learn(ConnectorSession session, SchemaTableName name, List<JdbcColumnHandle> columns)
    {
        Key key = key(session, name);
        Asked asked = new Asked(session.getQueryId(), key);
        Known known = read.remove(asked);
        if (known != null && definitions.read(session, known.table()).filter(known.definition()::equals).isPresent()) {
            Known learned = new Known(known.definition(), known.table(), columns);
            tables.put(key, learned);
            unchanged.put(asked, learned);
        }
    }

    /** Reads all tables anew. */
    public void forget()
    {
        tables.clear();
        unchanged.clear();
        read.clear();
    }

    // Types depend on settings of the session, and what there is on the account.
    private Key key(ConnectorSession session, SchemaTableName name)
    {
        ImmutableMap.Builder<String, Object> values = ImmutableMap.builder();
        for (PropertyMetadata<?> property : properties) {
            Object value = session.getProperty(property.getName(), property.getJavaType());
            if (value != null) {
                values.put(property.getName(), value);
            }
        }
        return new Key(definitions.account(session), name, values.buildOrThrow());
    }

    private record Key(Optional<String> account, SchemaTableName name, Map<String, Object> properties)
    {}

    private record Asked(String query, Key key)
    {}

    private record Known(HashCode definition, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        private Known
        {
            columns = ImmutableList.copyOf(columns);
        }
    }

    /** Keeps the entries that were used last. */
    private static final class Bounded<K, V>
    {
        private final int most;
        @GuardedBy("this")
        private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);

        private Bounded(int most)
        {
            this.most = most;
        }

        private synchronized V get(K key)
        {
            return entries.get(key);
        }

        private synchronized boolean contains(K key)
        {
            return entries.containsKey(key);
        }

        private synchronized void clear()
        {
            entries.clear();
        }

        private synchronized V remove(K key)
        {
            return entries.remove(key);
        }

        private synchronized void put(K key, V value)
        {
            entries.remove(key);
            entries.put(key, value);
            if (entries.size() > most) {
                entries.remove(entries.keySet().iterator().next());
            }
        }
    }
}
