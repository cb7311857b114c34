package io.mysqlpq.cross.prompt;

import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.StatementSplitter;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads SQL from the terminal, or takes it from the command line, and runs it on the demo's Trino server.
 */
public final class SqlPrompt
{
    private static final Set<String> FAREWELLS = Set.of("exit", "quit");

    private final StatementRunner runner;
    private final Optional<Console> terminal = terminal();
    private boolean failed;

    private SqlPrompt(Connection connection)
    {
        this.runner = new StatementRunner(connection, System.out);
    }

    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        boolean failed;
        try (Connection connection = RunningServers.fromEnvironment().trino()) {
            SqlPrompt prompt = new SqlPrompt(connection);
            if (arguments.length > 0) {
                prompt.runAll(String.join(" ", arguments));
            }
            else {
                prompt.converse();
            }
            failed = prompt.failed;
        }
        System.exit(failed ? 1 : 0);
    }

    private void runAll(String sql)
    {
        StatementSplitter splitter = new StatementSplitter();
        splitter.append(sql);
        runEach(splitter);
        run(splitter.rest());
    }

    private void converse()
            throws IOException
    {
        if (terminal.isPresent()) {
            System.out.println("Statements end with a semicolon, `exit` leaves. One split a table, as the stock connector: SET SESSION mysql_pq.parallel_reads_enabled = false;\n");
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        StatementSplitter splitter = new StatementSplitter();
        for (String line = ask(input, splitter); line != null; line = ask(input, splitter)) {
            if (splitter.isEmpty() && FAREWELLS.contains(line.strip().replace(";", ""))) {
                return;
            }
            splitter.append(line + "\n");
            runEach(splitter);
        }
        run(splitter.rest());
    }

    private String ask(BufferedReader input, StatementSplitter splitter)
            throws IOException
    {
        String prompt = splitter.isEmpty() ? "sql> " : "  -> ";
        return terminal.isPresent() ? terminal.get().readLine(prompt) : input.readLine();
    }

    private void runEach(StatementSplitter splitter)
    {
        for (Optional<String> statement = splitter.next(); statement.isPresent(); statement = splitter.next()) {
            run(statement.get());
        }
    }

    // A failed statement is told and does not end the conversation.
    private void run(String sql)
    {
        if (sql.isEmpty()) {
            return;
        }
        try {
            runner.run(sql);
        }
        catch (SQLException e) {
            failed = true;
            System.out.println("Error: " + e.getMessage() + "\n");
        }
    }

    // JDK 22 always gives a console and JDK 25 gives null again where input is not a terminal.
    @SuppressWarnings("SystemConsoleNull")
    private static Optional<Console> terminal()
    {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal);
    }
}
