package io.mysqlpq.trino.driver;

import com.google.common.collect.ImmutableMap;
import com.mysql.cj.conf.PropertyKey;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class TestDriverConfig
{
    private static final UrlProperties NOTHING = UrlProperties.of("jdbc:mysql://example.net:3306");

    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(DriverConfig.class)
                .setAutoReconnect(true)
                .setMaxReconnects(3)
                .setConnectionTimeout(new Duration(10, SECONDS))
                .setUseInformationSchema(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of(
                        "mysql.auto-reconnect", "false",
                        "mysql.max-reconnects", "4",
                        "mysql.connection-timeout", "4s",
                        "mysql.jdbc.use-information-schema", "false"),
                new DriverConfig()
                        .setAutoReconnect(false)
                        .setMaxReconnects(4)
                        .setConnectionTimeout(new Duration(4, SECONDS))
                        .setUseInformationSchema(false));
    }

    @Test
    void testDriverProperties()
    {
        DriverConfig config = new DriverConfig().setMaxReconnects(7).setConnectionTimeout(new Duration(4, SECONDS));
        assertThat(DriverProperties.local(config, NOTHING)).containsEntry("autoReconnect", "true").containsEntry("maxReconnects", "7").containsEntry("connectTimeout", "4000");
        // A login that gets no answer ends too.
        assertThat(DriverProperties.read(config, NOTHING)).containsEntry("connectTimeout", "4000").containsEntry("socketTimeout", "4000");
        assertThat(DriverProperties.local(config.setAutoReconnect(false), NOTHING)).doesNotContainKeys("autoReconnect", "maxReconnects");
        // A read that lost its connection has lost its snapshot too.
        assertThat(DriverProperties.read(new DriverConfig(), NOTHING)).doesNotContainKey("autoReconnect");
    }

    /** What is given to the driver beside the URL goes before what the URL says. */
    @Test
    void testUrlSaysOtherwise()
    {
        assertThat(DriverProperties.utc(new DriverConfig(), NOTHING)).containsKeys("socketFactory", "socketTimeout");
        for (String factory : new String[] {"?socketFactory=com.example.Sockets", "?SocketFactory=com.example.Sockets&a=b", "?socksProxyHost=proxy.example.net"}) {
            assertThat(DriverProperties.utc(new DriverConfig(), url("example.net" + factory))).as(factory).doesNotContainKey("socketFactory").containsKey("socketTimeout");
        }
        for (String timeout : new String[] {"example.net?socketTimeout=60000", "address=(host=example.net)(socketTimeout=60000)"}) {
            assertThat(DriverProperties.local(new DriverConfig(), url(timeout))).as(timeout).doesNotContainKey("socketTimeout").containsKey("socketFactory");
        }
        assertThat(url("one, two:x").sets(PropertyKey.socketTimeout)).isFalse();
    }

    private static UrlProperties url(String hostsAndProperties)
    {
        return UrlProperties.of("jdbc:mysql://" + hostsAndProperties);
    }
}
