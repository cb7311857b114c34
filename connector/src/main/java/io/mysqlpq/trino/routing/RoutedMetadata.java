package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.split.MysqlPqSplitManager;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import jakarta.annotation.Nullable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NO_REPLICA;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/** Passes each question about tables on to the metadata of the server that the query reads from. */
final class RoutedMetadata
        implements InvocationHandler
{
    // What changes tables, or writes their rows.
    private static final Pattern WRITES = Pattern.compile("(create|drop|rename|set|add|truncate|begin|finish|execute|grant|revoke)[A-Z]");
    private static final Pattern BEGINNINGS = Pattern.compile("begin[A-Z]");

    private static final Object[] NO_ARGUMENTS = {};

    private final Route route;
    private final ConnectorSession session;
    // Tables that the query's server does not have yet. A statement may write to them.
    private final Set<RemoteTableName> onlyOfPrimary = ConcurrentHashMap.newKeySet();

    private RoutedMetadata(Route route, ConnectorSession session)
    {
        this.route = requireNonNull(route, "route is null");
        this.session = requireNonNull(session, "session is null");
    }

    static ConnectorMetadata of(Route route, ConnectorSession session)
    {
        return (ConnectorMetadata) Proxy.newProxyInstance(RoutedMetadata.class.getClassLoader(), new Class<?>[] {ConnectorMetadata.class}, new RoutedMetadata(route, session));
    }

    @Override
    public Object invoke(Object proxy, Method method, @Nullable Object[] given)
    {
        Object[] arguments = requireNonNullElse(given, NO_ARGUMENTS);
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments[0] != null && Proxy.isProxyClass(arguments[0].getClass()) && equals(Proxy.getInvocationHandler(arguments[0]));
                case "hashCode" -> hashCode();
                default -> "metadata of the server that the query reads from";
            };
        }
        switch (method.getName()) {
            case "beginQuery" -> route.beginQuery(session, method, arguments);
            case "cleanupQuery" -> {
                onlyOfPrimary.clear();
                route.endQuery((ConnectorSession) arguments[0]);
            }
            default -> {
                return answer(method, arguments);
            }
        }
        return null;
    }

    private Object answer(Method method, Object[] arguments)
    {
        return switch (method.getName()) {
            case "getTableHandle" -> table(method, arguments);
            case "schemaExists" -> (boolean) read(method, arguments) || (boolean) call(route.primary(session).metadata(), method, arguments);
            case "validateScan" -> {
                ConnectorMetadata metadata = route.current(session).metadata();
                checkReadable(arguments);
                route.tellScan(method, arguments);
                yield call(metadata, method, arguments);
            }
            // Trino asks for it where a statement changes rows, before it plans.
            case "getMergeRowIdColumnHandle" -> {
                route.changeRows(session).ifPresent(before -> SameColumns.check(session, route.tables(), before, route.current(session)));
                yield read(method, arguments);
            }
            default -> WRITES.matcher(method.getName()).lookingAt() ? write(method, arguments) : read(method, arguments);
        };
    }

    private Object table(Method method, Object[] arguments)
    {
        Object table = call(route.current(session).metadata(), method, arguments);
        route.tell(method, arguments);
        if (table != null) {
            return table;
        }
        Object ofPrimary = call(route.primary(session).metadata(), method, arguments);
        onlyOfPrimary.addAll(tables(ofPrimary));
        return ofPrimary;
    }

    private Object read(Method method, Object[] arguments)
    {
        Route.Leg leg = Stream.of(arguments).anyMatch(this::isOnlyOfPrimary) ? route.primary(session) : route.current(session);
        return call(leg.metadata(), method, arguments);
    }

    private boolean isOnlyOfPrimary(Object argument)
    {
        return tables(argument).stream().anyMatch(onlyOfPrimary::contains);
    }

    private static List<RemoteTableName> tables(@Nullable Object argument)
    {
        return argument instanceof ConnectorTableHandle table ? MysqlPqSplitManager.tables(table) : List.of();
    }

    private void checkReadable(Object[] arguments)
    {
        Route.Leg leg = route.current(session);
        if (isOnlyOfPrimary(arguments[1]) && !leg.equals(route.primary(session))) {
            throw new TrinoException(
                    MYSQL_PQ_NO_REPLICA,
                    "Table %s is on the primary, and replica %s does not have it yet. Run the query again when the replica has caught up, or set read_server to '%s'".formatted(
                            tables(arguments[1]).stream().filter(onlyOfPrimary::contains).findFirst().orElseThrow(),
                            leg.part().address(),
                            route.primary(session).part().address()));
        }
    }

    private Object write(Method method, Object[] arguments)
    {
        try {
            return call(route.primary(session).metadata(), method, arguments);
        }
        finally {
            if (!BEGINNINGS.matcher(method.getName()).lookingAt()) {
                route.forgetTables();
            }
        }
    }

    static Object call(ConnectorMetadata metadata, Method method, Object[] arguments)
    {
        try {
            return method.invoke(metadata, arguments);
        }
        catch (InvocationTargetException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException("A method of ConnectorMetadata throws no checked exception", e.getCause());
        }
        catch (IllegalAccessException e) {
            throw new LinkageError("No access to %s".formatted(method), e);
        }
    }
}
