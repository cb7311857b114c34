package io.mysqlpq.containers;

import io.mysqlpq.cross.kubernetes.HelmValues;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import static io.mysqlpq.containers.ContainerDaemon.docker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests what the values for Trino's Helm chart have a node do: our image's connector goes through a volume into Trino without it.
 * Both containers have the user and the rights that the chart gives them; there is no MySQL.
 */
@TestInstance(PER_CLASS)
class TestInitContainer
{
    private static final String IMAGE = System.getProperty("pq.image.trino", "mysql-pq/trino");
    private static final String TRINO = System.getProperty("pq.image.trino-base", "trinodb/trino:483");
    private static final String ROLE = "coordinator";

    private final HelmValues values = HelmValues.read();
    private String volume;
    private String node;

    @BeforeAll
    void makeVolume()
    {
        ContainerDaemon.require();
        volume = docker("volume", "create");
        // As the kubelet makes an emptyDir.
        docker("run", "--rm", "--user", "0", "--volume", volume + ":/plugin", "--entrypoint", "chmod", IMAGE, "0777", "/plugin");
    }

    @AfterAll
    void remove()
    {
        if (node != null) {
            docker("rm", "--force", node);
        }
        if (volume != null) {
            docker("volume", "rm", volume);
        }
    }

    @Test
    void testTrinoStartsWithCopiedConnector()
            throws IOException, InterruptedException
    {
        copy();
        // Kubernetes may run it again over the same volume.
        copy();
        node = docker(restricted("create",
                "--env", "MYSQL_PASSWORD=secret",
                "--volume", "%s:%s:ro".formatted(volume, values.pluginFolder(ROLE)),
                TRINO));
        Path catalog = Files.writeString(Files.createTempFile("mysql_pq", ".properties"), values.catalog());
        try {
            Files.setPosixFilePermissions(catalog, PosixFilePermissions.fromString("rw-r--r--"));
            docker("cp", catalog.toString(), node + ":/etc/trino/catalog/mysql_pq.properties");
        }
        finally {
            Files.delete(catalog);
        }
        docker("start", node);
        assertThat(logAtStart()).contains("Added catalog mysql_pq using connector mysql_pq");
    }

    private String logAtStart()
            throws InterruptedException
    {
        Instant end = Instant.now().plus(Duration.ofMinutes(5));
        String log = "";
        while (!log.contains("SERVER STARTED") && Instant.now().isBefore(end) && docker("inspect", "--format", "{{.State.Running}}", node).equals("true")) {
            Thread.sleep(1000);
            log = docker("logs", node);
        }
        assertThat(log).contains("SERVER STARTED");
        return log;
    }

    private void copy()
    {
        List<String> command = values.copyCommand(ROLE);
        docker(Stream.concat(
                Stream.of(restricted("run", "--rm", "--network", "none", "--volume", "%s:%s".formatted(volume, values.copiedTo(ROLE)), "--entrypoint", command.getFirst(), IMAGE)),
                command.stream().skip(1)).toArray(String[]::new));
    }

    private static String[] restricted(String command, String... rest)
    {
        return Stream.concat(Stream.of(command, "--user", "1000:1000", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"), Stream.of(rest)).toArray(String[]::new);
    }
}
