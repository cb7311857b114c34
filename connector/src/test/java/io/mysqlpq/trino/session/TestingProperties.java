package io.mysqlpq.trino.session;

import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;
import io.trino.testing.TestingConnectorSession;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Makes sessions that know the properties of some providers. */
public record TestingProperties(List<PropertyMetadata<?>> properties)
{
    public static TestingProperties of(SessionPropertiesProvider... providers)
    {
        return new TestingProperties(Stream.of(providers).<PropertyMetadata<?>>flatMap(provider -> provider.getSessionProperties().stream()).collect(toImmutableList()));
    }

    public ConnectorSession session(Map<String, Object> values)
    {
        return TestingConnectorSession.builder().setPropertyMetadata(properties).setPropertyValues(values).build();
    }

    /** Checks a value as Trino does when a user sets it. */
    public Object decode(String name, Object value)
    {
        return properties.stream().filter(property -> property.getName().equals(name)).findFirst().orElseThrow().decode(value);
    }
}
