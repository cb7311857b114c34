package io.mysqlpq.cross.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;

/**
 * The values that docker/ ships for Trino's Helm chart.
 */
public final class HelmValues
{
    static final Path DOCKER = Path.of(System.getProperty("basedir", "."), "..", "..", "docker").toAbsolutePath().normalize();

    private final JsonNode values;

    private HelmValues(JsonNode values)
    {
        this.values = values;
    }

    public static HelmValues read()
    {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new HelmValues(new ObjectMapper().valueToTree(new Yaml(new SafeConstructor(options)).load(text("kubernetes/values.yaml"))));
    }

    static String text(String file)
    {
        try {
            return Files.readString(DOCKER.resolve(file));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode at(String path)
    {
        JsonNode node = values.at(path);
        if (node.isMissingNode()) {
            throw new IllegalStateException("values.yaml has no " + path);
        }
        return node;
    }

    /** The file of the catalog mysql_pq. */
    public String catalog()
    {
        return at("/catalogs/mysql_pq").textValue();
    }

    /** What the init container of that role runs. */
    public List<String> copyCommand(String role)
    {
        return StreamSupport.stream(initContainer(role).required("command").spliterator(), false).map(JsonNode::textValue).collect(toImmutableList());
    }

    /** Where the init container of that role has the volume. */
    public String copiedTo(String role)
    {
        return getOnlyElement(initContainer(role).required("volumeMounts")).required("mountPath").textValue();
    }

    /** Where Trino of that role has the volume. */
    public String pluginFolder(String role)
    {
        return getOnlyElement(at("/%s/additionalVolumeMounts".formatted(role))).required("mountPath").textValue();
    }

    JsonNode initContainer(String role)
    {
        return getOnlyElement(at("/initContainers/" + role));
    }
}
