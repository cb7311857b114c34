package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.mysqlpq.trino.connection.DriverLogin;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.mysqlpq.trino.snapshot.GroupPositions;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.function.table.ConnectorTableFunction;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Makes the table function {@code snapshot_position}. It asks when the query is analyzed, on the coordinator, which has the snapshots. */
final class SnapshotPositionFunction
        implements Provider<ConnectorTableFunction>
{
    static final List<ResultColumn> COLUMNS = ImmutableList.of(
            ResultColumn.text("gtid_executed"),
            ResultColumn.text("opened"),
            ResultColumn.text("server"));

    private final GroupPositions positions;
    private final Optional<String> server;

    @Inject
    SnapshotPositionFunction(GroupPositions positions, DriverLogin login)
    {
        this.positions = requireNonNull(positions, "positions is null");
        this.server = login.server().map(ServerAddress::toString);
    }

    @Override
    public ConnectorTableFunction get()
    {
        return new OperationFunction("snapshot_position", ImmutableList.of(), COLUMNS, (session, _, _) -> position(session));
    }

    private OperationHandle position(ConnectorSession session)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            SnapshotPosition position = positions.of(session);
            return new OperationHandle.Position(position.gtidExecuted(), position.opened(), server);
        }
    }

    static List<List<Object>> rows(OperationHandle.Position position)
    {
        return List.of(Arrays.asList(position.gtidExecuted(), position.opened(), position.server().orElse(null)));
    }
}
