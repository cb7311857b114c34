package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs one real MySQL server on a free port of 127.0.0.1 over a private copy of a data folder.
 */
public final class MysqlServer
        implements AutoCloseable
{
    // To start, and to stop.
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TIMEOUT_UNDER_TOOL = Duration.ofMinutes(20);
    private static final int PORT_ATTEMPTS = 5;
    private static final int NO_SUCH_THREAD = 1094;

    private final MysqlHome home;
    private final List<String> options;
    private final ServerFolder folder;
    private final Path program;
    private final Thread exitHook = new Thread(this::killAndDelete);
    private MysqlProcess process;
    private int port;

    public static MysqlServerBuilder builder()
    {
        return new MysqlServerBuilder();
    }

    MysqlServer(TestingPaths paths, MysqlHome home, Optional<Path> data, List<String> options, boolean extension, boolean keyring)
    {
        this.home = home;
        this.options = List.copyOf(options);
        this.folder = ServerFolder.create(paths, data);
        this.program = keyring ? folder.installKeyring(home.program()) : home.program();
        Runtime.getRuntime().addShutdownHook(exitHook);
        try {
            startOnFreePort();
            if (extension) {
                execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            }
        }
        catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public int port()
    {
        return port;
    }

    public long pid()
    {
        return process.pid();
    }

    public boolean isAlive()
    {
        return process.isAlive();
    }

    public String jdbcUrl()
    {
        return "jdbc:mysql://127.0.0.1:" + port;
    }

    public Path dataDirectory()
    {
        return folder.data();
    }

    public Path pluginDirectory()
    {
        return folder.plugins();
    }

    /** Puts another library in the place of mysql_pq.so, as a package upgrade does; the running server keeps the old one. */
    public void replacePlugin(Path library)
    {
        folder.installPlugin(library);
    }

    public Connection connect()
            throws SQLException
    {
        return connect("root", "");
    }

    public Connection connect(String user, String password)
            throws SQLException
    {
        return DriverManager.getConnection(jdbcUrl() + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true", user, password);
    }

    /** Executes statements as root, each in autocommit, over one connection. */
    public void execute(String... statements)
    {
        String current = "connect";
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                current = sql;
                statement.execute(sql);
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException("Failed: " + current + ": " + e.getMessage(), e);
        }
    }

    /** Executes a file of statements as root, as the client program does: one after the other in one session, to the first that fails. */
    public void executeFile(Path file)
    {
        try (Connection connection = DriverManager.getConnection(jdbcUrl() + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true&allowMultiQueries=true", "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(file));
            while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
                // The error of a later statement is thrown when it is its turn.
            }
        }
        catch (SQLException | IOException e) {
            throw new IllegalStateException("Failed: %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Reads the first column of a query as text, with its NULLs. */
    public List<String> values(String sql)
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
        catch (SQLException e) {
            throw new IllegalStateException("Failed: " + sql + ": " + e.getMessage(), e);
        }
    }

    /** Ends another session. One that has ended by itself meanwhile is no failure. */
    public void endSession(String id)
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute("KILL " + id);
        }
        catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw new IllegalStateException("Failed to end session %s: %s".formatted(id, e.getMessage()), e);
            }
        }
    }

    /** Reads a global status variable that is a number. */
    public long status(String name)
    {
        try (Connection connection = connect()) {
            return Long.parseLong(Sql.value(connection, "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = '%s'".formatted(name)));
        }
        catch (SQLException e) {
            throw new IllegalStateException("Failed to read status %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Waits until performance_schema has all statements that have sent their answer: MySQL counts and records them a little later.
     *
     * <p>No session may stay in the midst of a statement meanwhile.
     */
    public void awaitStatementsRecorded()
    {
        Await.until("no statement runs", () -> values("SELECT thread_id FROM performance_schema.events_statements_current WHERE end_event_id IS NULL AND thread_id <> ps_current_thread_id()").isEmpty());
    }

    public String errorLog()
    {
        return folder.errorLog().text();
    }

    /** Fails if the server died or its error log holds an error; allowed are regular expressions. */
    public void assertErrorLogClean(String... allowed)
    {
        if (!isAlive()) {
            throw new AssertionError("The server died. Its error log:\n" + errorLog());
        }
        List<String> troubles = folder.errorLog().troubles(allowed);
        if (!troubles.isEmpty()) {
            throw new AssertionError("The server's error log is not clean:\n" + String.join("\n", troubles));
        }
    }

    public void kill()
    {
        process.kill();
    }

    /** Has all of the server's threads stand still until thaw(): it accepts connections and says nothing. */
    public void freeze()
    {
        process.freeze();
    }

    public void thaw()
    {
        process.thaw();
    }

    /** Shuts the server down in good order; restart() starts it again. */
    public void stop()
    {
        process.stop(timeout());
    }

    /** Shuts the server down if it runs and starts it again on the same port and data. */
    public void restart(String... extraOptions)
    {
        if (process.isAlive()) {
            stop();
        }
        if (!startOnPort(extraOptions)) {
            throw new IllegalStateException("mysqld did not start again:\n" + errorLog());
        }
    }

    @Override
    public void close()
    {
        killAndDelete();
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        }
        catch (IllegalStateException e) {
            // The JVM is exiting and runs the hook itself.
        }
    }

    private void killAndDelete()
    {
        if (process != null) {
            process.kill();
        }
        Folders.delete(folder.root());
    }

    private void startOnFreePort()
    {
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            port = FreePort.find();
            if (startOnPort()) {
                return;
            }
            if (!errorLog().contains("Do you already have another mysqld server running on port")) {
                break;
            }
        }
        throw new IllegalStateException("mysqld did not start:\n" + errorLog());
    }

    private boolean startOnPort(String... extraOptions)
    {
        List<String> arguments = new ArrayList<>(List.of(
                "--datadir=" + folder.data(),
                "--plugin-dir=" + folder.plugins(),
                "--log-error=" + folder.errorLog().file(),
                // Relative to the data folder, since the path of a Unix socket may have 107 bytes only.
                "--socket=mysqld.sock",
                "--pid-file=mysqld.pid",
                "--bind-address=127.0.0.1",
                "--port=" + port));
        arguments.addAll(options);
        arguments.addAll(List.of(extraOptions));
        process = new MysqlProcess(home.mysqld(program, arguments), folder.data(), folder.root().resolve("output.log"));
        return awaitConnection();
    }

    // False if the process ended before it listened.
    private boolean awaitConnection()
    {
        long deadline = System.nanoTime() + timeout().toNanos();
        while (!process.endsWithin(20)) {
            try (Connection _ = connect()) {
                return true;
            }
            catch (SQLException e) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("mysqld is not ready after %s:\n%s".formatted(timeout(), errorLog()), e);
                }
            }
        }
        process.kill();
        return false;
    }

    private Duration timeout()
    {
        return home.isUnderTool() ? TIMEOUT_UNDER_TOOL : TIMEOUT;
    }
}
