package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.session.TestingProperties;
import org.junit.jupiter.api.Test;

import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static org.assertj.core.api.Assertions.assertThat;

class TestTypeSessionProperties
{
    private final TestingProperties properties = TestingProperties.of(new TypeSessionProperties(new TypeConfig()));

    @Test
    void testTypeOptions()
    {
        assertThat(typeOptions(properties.session(ImmutableMap.of()))).isEqualTo(new TypeOptions(false, InvalidDateHandling.ERROR));
        assertThat(typeOptions(properties.session(ImmutableMap.of("extended_types", true, "invalid_date_handling", "NULL")))).isEqualTo(new TypeOptions(true, InvalidDateHandling.NULL));
    }
}
