package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.FallbackCause;
import io.trino.plugin.jdbc.RemoteTableName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.weakref.jmx.Managed;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.CaseFormat.UPPER_CAMEL;
import static com.google.common.base.CaseFormat.UPPER_UNDERSCORE;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.testing.TestingConnectorSession.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

class TestFallbackReporter
{
    @ParameterizedTest
    @EnumSource
    void testEachCauseHasACounter(FallbackCause cause)
            throws ReflectiveOperationException
    {
        FallbackReporter reporter = new FallbackReporter();
        reporter.report(SESSION, new RemoteTableName(Optional.of("s"), Optional.empty(), "t"), new ExtensionUnavailableException(cause, "for a test"), "as one split");
        Map<String, Long> counters = counters(reporter);
        assertThat(counters).hasSize(FallbackCause.values().length + 1);
        assertThat(counters.entrySet().stream().filter(counter -> counter.getValue() != 0).collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)))
                .isEqualTo(ImmutableMap.of("getTotalCount", 1L, "get%sCount".formatted(UPPER_UNDERSCORE.to(UPPER_CAMEL, cause.name())), 1L));
    }

    private static Map<String, Long> counters(FallbackReporter reporter)
            throws ReflectiveOperationException
    {
        ImmutableMap.Builder<String, Long> counters = ImmutableMap.builder();
        for (Method method : FallbackReporter.class.getMethods()) {
            if (method.isAnnotationPresent(Managed.class)) {
                counters.put(method.getName(), (Long) method.invoke(reporter));
            }
        }
        return counters.buildOrThrow();
    }
}
