package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static com.google.common.collect.Iterables.getOnlyElement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlPqPlugin
{
    private final ConnectorFactory factory = getOnlyElement(new MysqlPqPlugin().getConnectorFactories());

    @Test
    void testCreateCatalog()
    {
        assertThat(factory.getName()).isEqualTo("mysql_pq");
        Connector connector = create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net:3306", "connection-user", "reader", "connection-password", "secret"));
        connector.shutdown();
    }

    @Test
    void testQueryCommentMayBeChanged()
    {
        create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "query.comment-format", "job $QUERY_ID")).shutdown();
    }

    @Test
    void testRefusedProperties()
    {
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net/tpch"))).hasMessageContaining("must not name a database");
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "max-ranges-per-scan", "0"))).hasMessageContaining("max-ranges-per-scan");
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "unknown-property", "1"))).hasMessageContaining("unknown-property");
    }

    private Connector create(Map<String, String> properties)
    {
        return factory.create("test", properties, new TestingConnectorContext());
    }
}
