package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import jakarta.validation.constraints.AssertTrue;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestThrottleConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(ThrottleConfig.class)
                .setThrottleThreadsRunning(0)
                .setThrottleThreadsRunningResume(0)
                .setThrottleReplicaLag(new Duration(0, MILLISECONDS))
                .setThrottleReplicaLagResume(new Duration(0, MILLISECONDS))
                .setThrottlePollInterval(new Duration(1, SECONDS))
                .setThrottleWaitTimeout(new Duration(5, MINUTES))
                .setMaxReplicaLag(new Duration(0, MILLISECONDS))
                .setReplicaLagHandling(LagHandling.REFUSE)
                .setGroupMemberCheckEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.<String, String>builder()
                        .put("throttle-threads-running", "50")
                        .put("throttle-threads-running-resume", "30")
                        .put("throttle-replica-lag", "20s")
                        .put("throttle-replica-lag-resume", "10s")
                        .put("throttle-poll-interval", "2s")
                        .put("throttle-wait-timeout", "1m")
                        .put("max-replica-lag", "30s")
                        .put("replica-lag-handling", "WAIT")
                        .put("group-member-check-enabled", "false")
                        .buildOrThrow(),
                new ThrottleConfig()
                        .setThrottleThreadsRunning(50)
                        .setThrottleThreadsRunningResume(30)
                        .setThrottleReplicaLag(new Duration(20, SECONDS))
                        .setThrottleReplicaLagResume(new Duration(10, SECONDS))
                        .setThrottlePollInterval(new Duration(2, SECONDS))
                        .setThrottleWaitTimeout(new Duration(1, MINUTES))
                        .setMaxReplicaLag(new Duration(30, SECONDS))
                        .setReplicaLagHandling(LagHandling.WAIT)
                        .setGroupMemberCheckEnabled(false));
    }

    @Test
    void testLowerBoundsAreNotOverTheUpperOnes()
    {
        assertFailsValidation(
                new ThrottleConfig().setThrottleThreadsRunning(10).setThrottleThreadsRunningResume(11),
                "threadsRunningResumeValid",
                "throttle-threads-running-resume must not be over throttle-threads-running",
                AssertTrue.class);
        assertFailsValidation(
                new ThrottleConfig().setThrottleReplicaLag(new Duration(1, SECONDS)).setThrottleReplicaLagResume(new Duration(1001, MILLISECONDS)),
                "replicaLagResumeValid",
                "throttle-replica-lag-resume must not be over throttle-replica-lag",
                AssertTrue.class);
    }
}
