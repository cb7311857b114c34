package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
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
    void testQueryCommentIsAccepted()
    {
        create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "query.comment-format", "job $QUERY_ID")).shutdown();
    }

    // Each with another value than its default.
    @Test
    void testPropertiesOfTheStockConnector()
    {
        create(ImmutableMap.<String, String>builder()
                .put("connection-url", "jdbc:mysql://example.net:3306?sslMode=REQUIRED&zeroDateTimeBehavior=CONVERT_TO_NULL")
                .put("connection-user", "reader")
                .put("connection-password", "secret")
                .put("user-credential-name", "mysql_user")
                .put("password-credential-name", "mysql_password")
                .put("case-insensitive-name-matching", "true")
                .put("case-insensitive-name-matching.cache-ttl", "2m")
                .put("case-insensitive-name-matching.config-file.refresh-period", "1m")
                .put("metadata.cache-ttl", "1m")
                .put("metadata.schemas.cache-ttl", "1m")
                .put("metadata.tables.cache-ttl", "1m")
                .put("metadata.statistics.cache-ttl", "1m")
                .put("metadata.cache-maximum-size", "100")
                .put("metadata.cache-missing", "true")
                .put("jdbc-types-mapped-to-varchar", "ENUM")
                .put("unsupported-type-handling", "CONVERT_TO_VARCHAR")
                .put("decimal-mapping", "ALLOW_OVERFLOW")
                .put("decimal-default-scale", "2")
                .put("decimal-rounding-mode", "HALF_UP")
                .put("statistics.enabled", "false")
                .put("join-pushdown.enabled", "false")
                .put("join-pushdown.strategy", "EAGER")
                .put("experimental.join-pushdown.automatic.max-table-size", "1MB")
                .put("experimental.join-pushdown.automatic.max-join-to-tables-ratio", "2")
                .put("deprecated.join-pushdown.with-expressions", "false")
                .put("aggregation-pushdown.enabled", "false")
                .put("topn-pushdown.enabled", "false")
                .put("complex-expression-pushdown.enabled", "false")
                .put("domain-compaction-threshold", "100")
                .put("dynamic-filtering.enabled", "false")
                .put("dynamic-filtering.wait-timeout", "1s")
                .put("jdbc.bulk-list-columns.enabled", "false")
                .put("write.batch-size", "500")
                .put("write.parallelism", "2")
                .put("insert.non-transactional-insert.enabled", "true")
                .put("merge.non-transactional-merge.enabled", "true")
                .put("query.comment-format", "job $QUERY_ID")
                .put("query.reuse-connection", "false")
                .put("mysql.auto-reconnect", "false")
                .put("mysql.max-reconnects", "5")
                .put("mysql.connection-timeout", "2s")
                .put("mysql.jdbc.use-information-schema", "false")
                .buildOrThrow()).shutdown();
    }

    @Test
    void testSessionPropertiesOfTheStockConnector()
    {
        Connector connector = create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net"));
        assertThat(connector.getSessionProperties()).extracting(PropertyMetadata::getName).contains(
                "unsupported_type_handling",
                "decimal_mapping",
                "decimal_default_scale",
                "decimal_rounding_mode",
                "join_pushdown_enabled",
                "join_pushdown_strategy",
                "join_pushdown_automatic_max_table_size",
                "join_pushdown_automatic_max_join_to_tables_ratio",
                "complex_join_pushdown_enabled",
                "aggregation_pushdown_enabled",
                "topn_pushdown_enabled",
                "complex_expression_pushdown",
                "domain_compaction_threshold",
                "dynamic_filtering_enabled",
                "dynamic_filtering_wait_timeout",
                "bulk_list_columns",
                "write_batch_size",
                "write_parallelism",
                "non_transactional_insert",
                "non_transactional_merge");
        assertThat(connector.getTableProperties()).extracting(PropertyMetadata::getName).containsExactly("primary_key");
        assertThat(connector.getProcedures()).extracting(Procedure::getName).containsExactlyInAnyOrder("flush_metadata_cache", "execute", "flush_planning_cache");
        assertThat(connector.getTableFunctions()).extracting(ConnectorTableFunction::getName).containsExactlyInAnyOrder("query", "ranges", "running_scans", "doctor", "counters", "snapshot_position");
        connector.shutdown();
    }

    @Test
    void testRefusedProperties()
    {
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net/tpch"))).hasMessageContaining("must not name a database");
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "max-ranges-per-scan", "0"))).hasMessageContaining("max-ranges-per-scan");
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://example.net", "unknown-property", "1"))).hasMessageContaining("unknown-property");
        assertThatThrownBy(() -> create(ImmutableMap.of("connection-url", "jdbc:mysql://reader:secret@example.net", "replica-hosts", "replica.example.net")))
                .hasMessageContaining("connection-url must be jdbc:mysql://host:port?parameters if there are replica-hosts");
    }

    @Test
    void testAnotherReleaseOfTrino()
    {
        String release = new TestingConnectorContext().getSpiVersion();
        ConnectorContext other = new ConnectorContext() {
            @Override
            public String getSpiVersion()
            {
                return "2000";
            }
        };
        assertThatThrownBy(() -> factory.create("test", ImmutableMap.of("connection-url", "jdbc:mysql://example.net"), other))
                .isInstanceOf(TrinoException.class)
                .hasMessage("The plugin was built for another release of Trino: Trino SPI version 2000 does not match the version %s connector mysql_pq was compiled for. ".formatted(release)
                        + "On the coordinator and all workers, install the plugin for this release of Trino, or run the release of Trino that this plugin is for");
    }

    private Connector create(Map<String, String> properties)
    {
        return factory.create("test", properties, new TestingConnectorContext());
    }
}
