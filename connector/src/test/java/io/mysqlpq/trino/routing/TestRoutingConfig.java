package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import jakarta.validation.constraints.AssertTrue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class TestRoutingConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(RoutingConfig.class)
                .setReplicaHosts(ImmutableList.of())
                .setReadFromPrimary(false)
                .setReplicaAnswerTimeout(new Duration(2, SECONDS))
                .setReplicaListTtl(new Duration(30, SECONDS))
                .setReadAfterWrite(false)
                .setReadAfterWriteTimeout(new Duration(10, SECONDS))
                .setOneMomentTimeout(new Duration(250, MILLISECONDS)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.<String, String>builder()
                        .put("replica-hosts", "a, dns:b:3307=2")
                        .put("read-from-primary", "true")
                        .put("replica-answer-timeout", "500ms")
                        .put("replica-list-ttl", "1m")
                        .put("read-after-write", "true")
                        .put("read-after-write-timeout", "3s")
                        .put("one-moment-timeout", "100ms")
                        .buildOrThrow(),
                new RoutingConfig()
                        .setReplicaHosts(ImmutableList.of("a", "dns:b:3307=2"))
                        .setReadFromPrimary(true)
                        .setReplicaAnswerTimeout(new Duration(500, MILLISECONDS))
                        .setReplicaListTtl(new Duration(1, MINUTES))
                        .setReadAfterWrite(true)
                        .setReadAfterWriteTimeout(new Duration(3, SECONDS))
                        .setOneMomentTimeout(new Duration(100, MILLISECONDS)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=0", "a=1001", "a=x", "a:b", "a:70000", "=2", "dns:", "a:3306:2"})
    void testWrongReplicas(String entry)
    {
        assertFailsValidation(
                new RoutingConfig().setReplicaHosts(ImmutableList.of("right.example.net", entry)),
                "replicaHostsValid",
                "replica-hosts must be a list of [dns:]host[:port][=weight], with weights from 1 to 1000",
                AssertTrue.class);
    }

    @Test
    void testReplicas()
    {
        assertThat(new RoutingConfig().setReplicaHosts(ImmutableList.of("a.example.net", " b.example.net:3307 = 3 ", "[::1]:3308", "dns:c.example.net")).entries())
                .extracting(ReplicaEntry::toString)
                .containsExactly(
                        "ReplicaEntry[replica=Replica[address=a.example.net:3306, weight=1], named=false]",
                        "ReplicaEntry[replica=Replica[address=b.example.net:3307, weight=3], named=false]",
                        "ReplicaEntry[replica=Replica[address=[::1]:3308, weight=1], named=false]",
                        "ReplicaEntry[replica=Replica[address=c.example.net:3306, weight=1], named=true]");
    }
}
