package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.connection.DriverLogin;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.doctor.Doctor;
import io.mysqlpq.trino.doctor.Finding;
import io.mysqlpq.trino.error.ErrorHints;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.snapshot.SnapshotMode.EXACT;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotMode;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Runs the doctor in a session that is set up as for planning. */
final class ServerFindings
        implements OperationRows<OperationHandle.Doctor>
{
    static final List<ResultColumn> COLUMNS = ImmutableList.of(
            ResultColumn.text("check_name"),
            ResultColumn.text("status"),
            ResultColumn.text("found"),
            ResultColumn.text("advice"),
            ResultColumn.text("server"));

    private final RemoteQueryModifier queryModifier;
    private final Doctor doctor;
    private final String server;

    @Inject
    ServerFindings(RemoteQueryModifier queryModifier, Doctor doctor, DriverLogin login)
    {
        this.server = login.server().map(ServerAddress::toString).orElse(null);
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.doctor = requireNonNull(doctor, "doctor is null");
    }

    @Override
    public List<ResultColumn> columns()
    {
        return COLUMNS;
    }

    @Override
    public List<List<Object>> rows(ConnectorSession session, Connection connection, OperationHandle.Doctor handle)
            throws SQLException
    {
        return doctor.examine(connection, sql -> queryModifier.apply(session, sql), snapshotMode(session) == EXACT).stream()
                .map(this::row)
                .collect(toImmutableList());
    }

    @Override
    public List<List<Object>> withoutServer(String obstacle)
    {
        return ImmutableList.of(row(Finding.problem("connection", obstacle, "Repair the server, or take it out of replica-hosts")));
    }

    @Override
    public TrinoException failure(OperationHandle.Doctor handle, SQLException cause)
    {
        return new TrinoException(JDBC_ERROR, "Failed to examine MySQL: %s".formatted(ErrorHints.explain(cause, "planning-timeout")), cause);
    }

    private List<Object> row(Finding finding)
    {
        return Arrays.asList(finding.check(), finding.status().toString(), finding.found(), finding.advice().orElse(null), server);
    }
}
