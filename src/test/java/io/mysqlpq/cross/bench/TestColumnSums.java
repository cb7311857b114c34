package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.sql.Types;

import static org.assertj.core.api.Assertions.assertThat;

class TestColumnSums
{
    @Test
    void testSum()
    {
        assertThat(ColumnSums.sum("a", Types.VARCHAR)).isEqualTo("sum(char_length(a))");
        assertThat(ColumnSums.sum("a", Types.DATE)).isEqualTo("sum(datediff(a, '1970-01-01'))");
        assertThat(ColumnSums.sum("a", Types.DECIMAL)).isEqualTo("sum(a)");
    }

    @Test
    void testLabels()
    {
        assertThat(ColumnSums.labels(2)).containsExactly("column 0", "column 1");
    }
}
