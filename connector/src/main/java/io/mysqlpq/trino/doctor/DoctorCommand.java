package io.mysqlpq.trino.doctor;

import com.mysql.cj.jdbc.Driver;
import io.mysqlpq.trino.error.MysqlError;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNullElse;

/** Prints what the doctor finds on a server, from a shell. The password is in the environment, where no process list shows it. */
public final class DoctorCommand
{
    private static final String PASSWORD = "PQ_PASSWORD";
    // The catalog's default.
    private static final int MAX_CONNECTIONS_PER_SERVER = 100;

    private DoctorCommand()
    {}

    /** @param arguments JDBC URL and user */
    public static void main(String[] arguments)
    {
        if (arguments.length != 2) {
            System.err.println("usage: doctor URL USER, with the password in %s".formatted(PASSWORD));
            System.exit(2);
        }
        System.exit(run(arguments[0], arguments[1], requireNonNullElse(System.getenv(PASSWORD), ""), System.out));
    }

    /** @return 0, or 1 if there is a problem */
    static int run(String url, String user, String password, PrintStream output)
    {
        try (Connection connection = connect(url, user, password)) {
            List<Finding> findings = new Doctor(MAX_CONNECTIONS_PER_SERVER).examine(connection, UnaryOperator.identity(), false);
            findings.forEach(finding -> print(finding, output));
            return findings.stream().anyMatch(finding -> finding.status() == Finding.Status.PROBLEM) ? 1 : 0;
        }
        catch (SQLException e) {
            print(Finding.problem("connection", MysqlError.tlsRefusal(e).orElseGet(() -> MysqlError.reason(e)), "Check the URL, the user and %s, and that this host can reach MySQL".formatted(PASSWORD)), output);
            return 1;
        }
    }

    private static Connection connect(String url, String user, String password)
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "10000");
        properties.setProperty("socketTimeout", "60000");
        properties.setProperty("sessionVariables", "lock_wait_timeout=1");
        Connection connection = new Driver().connect(url, properties);
        if (connection == null) {
            throw new SQLException("The URL must look like jdbc:mysql://example.net:3306: " + url);
        }
        return connection;
    }

    private static void print(Finding finding, PrintStream output)
    {
        output.println("%-8s %s: %s".formatted(finding.status(), finding.check(), finding.found()));
        finding.advice().ifPresent(advice -> output.println("         " + advice));
    }
}
