package io.mysqlpq.cross.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads what docker/ ships for Prometheus and Grafana.
 */
final class MonitoringFiles
{
    private static final Path DOCKER = Path.of(System.getProperty("basedir", "."), "..", "..", "docker").toAbsolutePath().normalize();
    private static final Pattern TRINO_SETTING = Pattern.compile("^# +(metrics\\.jmx-object-names=\\S+)$", Pattern.MULTILINE);
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), \\w+\\)");
    private static final Map<String, String> VARIABLES = Map.of("$catalog", ".+", "$mysql", ".+", "$__rate_interval", "1m");

    private MonitoringFiles()
    {}

    static Path prometheus(String file)
    {
        return DOCKER.resolve("prometheus").resolve(file);
    }

    /** The line of config.properties that prometheus.yml asks for. */
    static String trinoSetting()
    {
        Matcher line = TRINO_SETTING.matcher(read(prometheus("prometheus.yml")));
        assertThat(line.find()).as("a line for config.properties").isTrue();
        return line.group(1);
    }

    /**
     * Puts prometheus.yml and its rules into a folder.
     *
     * @param changes of the text, each of which has to be there
     */
    static Path copy(Path folder, Map<String, String> changes)
    {
        String text = read(prometheus("prometheus.yml"));
        for (Map.Entry<String, String> change : changes.entrySet()) {
            assertThat(text).contains(change.getKey());
            text = text.replace(change.getKey(), change.getValue());
        }
        try {
            Files.copy(prometheus("alerts.yml"), folder.resolve("alerts.yml"));
            return Files.writeString(folder.resolve("prometheus.yml"), text);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the cases that promtool tests the rules by beside them. */
    static Path alertCases(Path folder)
    {
        try (InputStream cases = MonitoringFiles.class.getResourceAsStream("/monitoring/alert-cases.yml")) {
            return Files.write(folder.resolve("alert-cases.yml"), cases.readAllBytes());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The expressions of the dashboard's panels and variables, with all catalogs and servers chosen. */
    static List<String> dashboardExpressions()
    {
        JsonNode dashboard = json(DOCKER.resolve("grafana/mysql_pq.json"));
        ImmutableList.Builder<String> expressions = ImmutableList.builder();
        dashboard.required("panels").forEach(panel -> panel.path("targets").forEach(target -> expressions.add(withVariables(target.required("expr").textValue()))));
        dashboard.at("/templating/list").forEach(variable -> {
            Matcher labels = LABEL_VALUES.matcher(variable.path("definition").asText());
            if (labels.matches()) {
                expressions.add(labels.group(1));
            }
        });
        return expressions.build();
    }

    private static String withVariables(String expression)
    {
        String result = expression;
        for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
            result = result.replace(variable.getKey(), variable.getValue());
        }
        assertThat(result).doesNotContain("$");
        return result;
    }

    private static JsonNode json(Path file)
    {
        try {
            return new ObjectMapper().readTree(file.toFile());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
