package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.SchemaTableName;
import org.junit.jupiter.api.Test;

import java.sql.Types;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares groups with keys that the table has by the time when it is cut. */
class TestLeadingColumnsOfGroups
{
    private static final JdbcTableHandle TABLE = new JdbcTableHandle(new SchemaTableName("test", "t"), new RemoteTableName(Optional.of("test"), Optional.empty(), "t"), Optional.empty());

    @Test
    void testKeyThatWasAltered()
    {
        WholeGroupAggregation groups = new WholeGroupAggregation(TABLE, ImmutableList.of(column("q"), column("a"), column("b")), ImmutableList.of(), 2, Optional.empty());
        assertThat(groups.beginsWith(List.of("a", "b", "c"))).isTrue();
        assertThat(groups.beginsWith(List.of("b", "a"))).isTrue();
        assertThat(groups.beginsWith(List.of("c", "a", "b"))).isFalse();
        assertThat(groups.beginsWith(List.of("a", "c", "b"))).isFalse();
        assertThat(groups.beginsWith(List.of("a"))).isFalse();
    }

    private static JdbcColumnHandle column(String name)
    {
        return new JdbcColumnHandle(name, new JdbcTypeHandle(Types.BIGINT, Optional.of("BIGINT"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), BIGINT);
    }
}
