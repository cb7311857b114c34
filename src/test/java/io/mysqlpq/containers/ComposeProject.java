package io.mysqlpq.containers;

import java.util.List;
import java.util.stream.Stream;

import static io.mysqlpq.containers.ContainerDaemon.output;

/**
 * Runs the shipped compose file, under a name of its own beside a project that a user may have. The property {@code pq.compose.env} may name a file with other images to build on.
 */
record ComposeProject(List<String> command)
{
    private static final String NAME = "mysql-pq-test";
    private static final String FILE = System.getProperty("pq.compose.file");

    ComposeProject
    {
        command = List.copyOf(command);
    }

    static ComposeProject up()
    {
        List<String> command = List.of("docker", "compose", "--project-name", NAME, "--file", FILE);
        String environment = System.getProperty("pq.compose.env");
        ComposeProject project = new ComposeProject(environment == null ? command : concat(command, "--env-file", environment));
        // What an interrupted run left.
        project.down();
        try {
            project.run("up", "--detach", "--wait");
            return project;
        }
        catch (IllegalStateException e) {
            System.out.println(project.run("logs", "--tail", "50"));
            project.down();
            throw e;
        }
    }

    void down()
    {
        run("down", "--volumes", "--remove-orphans");
    }

    List<String> containers()
    {
        return run("ps", "--quiet").lines().toList();
    }

    int port(String service, int port)
    {
        String address = run("port", service, "" + port);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /**
     * @return the rows that MySQL's own client prints, columns separated by tabs
     */
    List<String> mysql(String sql)
    {
        return run("exec", "-T", "mysql", "sh", "-c",
                "MYSQL_PWD=$(cat /run/passwords/trino/password) exec mysql --user=trino --host=127.0.0.1 --skip-column-names --batch tpch -e \"$1\"", "sh", sql)
                .lines().toList();
    }

    String run(String... arguments)
    {
        return output(concat(command, arguments));
    }

    private static List<String> concat(List<String> first, String... others)
    {
        return Stream.concat(first.stream(), Stream.of(others)).toList();
    }
}
