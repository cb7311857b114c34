package io.mysqlpq.trino;

import com.google.common.base.Splitter;
import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.inject.Module;
import io.airlift.configuration.ConfigurationFactory;
import io.airlift.configuration.ConfigurationInspector;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ReadServer;
import io.mysqlpq.trino.driver.CredentialModule;
import io.mysqlpq.trino.driver.MarkedJdbcModule;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.jdbc.ExtraCredentialsBasedIdentityCacheMappingModule;
import io.trino.plugin.jdbc.JdbcJoinPushdownSupportModule;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the page says of each property the default that the catalog has. */
class TestDocumentedDefaults
{
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]*) \\| ([^|]*)\\| ([^|]*)\\| .*\\|$");
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    @Test
    void testDefaults()
            throws IOException
    {
        Map<String, String> documented = documented();
        Map<String, String> defaults = defaults();
        assertThat(documented).hasSizeGreaterThan(60);
        assertThat(defaults.keySet()).containsAll(documented.keySet());
        assertThat(Maps.transformValues(documented, TestDocumentedDefaults::normal)).isEqualTo(Maps.transformValues(Maps.filterKeys(defaults, documented::containsKey), TestDocumentedDefaults::normal));
    }

    private static Map<String, String> documented()
            throws IOException
    {
        Map<String, String> documented = new TreeMap<>();
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "configuration.md"));
        for (String table : Splitter.on("| Catalog property | Session property | Default | Meaning |").split(page)) {
            // The tables begin behind their heads; what is before the first of them is none.
            if (!table.startsWith("\n|---")) {
                continue;
            }
            ROW.matcher(table.substring(0, table.indexOf("\n\n"))).results().forEach(row -> {
                List<String> names = codes(row.group(1));
                List<String> values = codes(row.group(3));
                for (int i = 0; i < names.size(); i++) {
                    documented.put(names.get(i), values.size() == 1 ? values.getFirst() : values.isEmpty() ? "" : values.get(i));
                }
            });
        }
        return documented;
    }

    private static List<String> codes(String cell)
    {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    private static Map<String, String> defaults()
    {
        List<Module> modules = ImmutableList.of(
                new ConnectorContextModule("test", new TestingConnectorContext()),
                new MarkedJdbcModule(),
                new CredentialModule(),
                new ExtraCredentialsBasedIdentityCacheMappingModule(),
                new JdbcJoinPushdownSupportModule(),
                new MysqlPqModule(Ticker.systemTicker(), ReadServer.PRIMARY, Optional.empty()));
        ConfigurationFactory factory = new ConfigurationFactory(ImmutableMap.of("connection-url", "jdbc:mysql://mysql:3306", "case-insensitive-name-matching", "true"));
        factory.registerConfigurationClasses(modules);
        Map<String, String> defaults = new TreeMap<>();
        new ConfigurationInspector().inspect(factory).forEach(config -> config.getAttributes().forEach(attribute -> defaults.put(attribute.getPropertyName(), attribute.getDefaultValue())));
        return defaults;
    }

    private static String normal(String value)
    {
        // The last is how a secret is shown.
        if (value == null || value.equals("null") || value.equals("[]") || value.equals("----")) {
            return "";
        }
        try {
            return String.valueOf(Duration.valueOf(value).toMillis());
        }
        catch (IllegalArgumentException _) {
            return value;
        }
    }
}
