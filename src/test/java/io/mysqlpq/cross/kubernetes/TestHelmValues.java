package io.mysqlpq.cross.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Maps;
import io.mysqlpq.trino.MysqlPqPlugin;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import static com.google.common.collect.Iterables.getOnlyElement;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the values for Trino's Helm chart agree with the image, with Prometheus' configuration and with the connector; the chart itself is not here. */
class TestHelmValues
{
    private static final String FROM_SECRET = "${ENV:MYSQL_PASSWORD}";

    private final HelmValues values = HelmValues.read();

    @Test
    void testCatalogIsValid()
            throws IOException
    {
        Properties file = new Properties();
        file.load(new StringReader(values.catalog()));
        Map<String, String> properties = new HashMap<>(Maps.fromProperties(file));
        assertThat(properties.replace("connection-password", "secret")).isEqualTo(FROM_SECRET);
        assertThat(properties.values()).noneMatch(value -> value.contains("${"));
        ConnectorFactory factory = getOnlyElement(new MysqlPqPlugin().getConnectorFactories());
        assertThat(properties.remove("connector.name")).isEqualTo(factory.getName());
        factory.create("mysql_pq", properties, new TestingConnectorContext()).shutdown();
    }

    @Test
    void testPasswordIsInTheSecretThatIsMade()
    {
        String secret = getOnlyElement(values.at("/envFrom")).at("/secretRef/name").textValue();
        assertThat(HelmValues.text("kubernetes/values.yaml")).contains("create secret generic %s --from-literal=MYSQL_PASSWORD=".formatted(secret));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "worker"})
    void testConnectorIsCopiedFromItsPlaceInTheImage(String role)
    {
        String folder = values.pluginFolder(role);
        assertThat(HelmValues.text("trino/Dockerfile")).contains("--from=plugin /plugin %s\n".formatted(folder));
        assertThat(values.copyCommand(role)).isEqualTo(List.of("cp", "-r", folder + "/.", values.copiedTo(role) + "/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "worker"})
    void testMountsAreOfTheVolume(String role)
    {
        JsonNode volume = getOnlyElement(values.at("/%s/additionalVolumes".formatted(role)));
        assertThat(volume.required("emptyDir")).isEmpty();
        assertThat(getOnlyElement(values.at("/%s/additionalVolumeMounts".formatted(role))).required("name")).isEqualTo(volume.required("name"));
        assertThat(getOnlyElement(values.initContainer(role).required("volumeMounts")).required("name")).isEqualTo(volume.required("name"));
    }

    @Test
    void testTrinoIsTheImagesVersion()
    {
        assertThat(HelmValues.text("trino/Dockerfile")).contains("ARG TRINO_BASE=trinodb/trino:%s\n".formatted(values.at("/image/tag").textValue()));
    }

    @Test
    void testNodesShowMetrics()
    {
        String line = getOnlyElement(values.at("/additionalConfigProperties")).textValue();
        assertThat(HelmValues.text("prometheus/prometheus.yml")).contains("#   %s\n".formatted(line));
        assertThat(HelmValues.text("trino/worker.properties").lines()).contains(line);
    }
}
