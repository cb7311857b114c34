package io.mysqlpq.trino.operations;

import io.airlift.json.JsonCodec;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestOperationHandle
{
    @Test
    void testJson()
    {
        assertRoundTrip(OperationHandle.Ranges.class, new OperationHandle.Ranges("Schema", "a `table`", Optional.of("PRIMARY"), 8, Set.of("k", "Column `c`")));
        assertRoundTrip(OperationHandle.Ranges.class, new OperationHandle.Ranges("s", "t", Optional.empty(), 1, Set.of()));
        assertRoundTrip(OperationHandle.RunningScans.class, new OperationHandle.RunningScans());
        assertRoundTrip(OperationHandle.Doctor.class, new OperationHandle.Doctor());
        assertRoundTrip(OperationHandle.Counters.class, new OperationHandle.Counters(List.of(new OperationHandle.Counter("ReadTotals", "Rows", 1e15, Optional.empty()), new OperationHandle.Counter("PlanningTotals", "PlanningSeconds", 0.25, Optional.of("replica:3306")))));
        assertRoundTrip(OperationSplit.class, new OperationSplit(Optional.of("no answer")));
    }

    @Test
    void testDegree()
    {
        assertThatThrownBy(() -> new OperationHandle.Ranges("s", "t", Optional.empty(), 0, Set.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static <T> void assertRoundTrip(Class<T> type, T value)
    {
        JsonCodec<T> codec = JsonCodec.jsonCodec(type);
        assertThat(codec.fromJson(codec.toJson(value))).isEqualTo(value);
    }
}
