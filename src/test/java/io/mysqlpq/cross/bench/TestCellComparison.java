package io.mysqlpq.cross.bench;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;

import static org.assertj.core.api.Assertions.assertThat;

class TestCellComparison
{
    // Trino's average on the left, MySQL's of more digits on the right.
    @ParameterizedTest
    @CsvSource({
            "25.52, 25.522006, true",
            "25.52, 25.515000, true",
            "25.52, 25.514999, false",
            "25.52, 25.530000, false",
            "25.52, 25.52, true",
            "25.52, 25.53, false",
            "1995, 1995.3, false",
            "1995, 1995.0, true",
            "1995, 1996, false",
    })
    void testDecimals(BigDecimal left, BigDecimal right, boolean equal)
    {
        assertThat(CellComparison.equal(left, right)).isEqualTo(equal);
        assertThat(CellComparison.equal(right, left)).isEqualTo(equal);
    }

    @ParameterizedTest
    @CsvSource({"1, 1.0000000009, true", "1, 1.000000002, false", "0, 0, true", "0, 1e-30, false"})
    void testDoubles(double left, double right, boolean equal)
    {
        assertThat(CellComparison.equal(left, right)).isEqualTo(equal);
    }

    @ParameterizedTest
    @CsvSource({"a, a, true", "a, A, false", "1, 1, true"})
    void testText(String left, String right, boolean equal)
    {
        assertThat(CellComparison.equal(left, right)).isEqualTo(equal);
        assertThat(CellComparison.equal(1L, left)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"5, 5, true", "5, 6, false"})
    void testSumOfWholeNumbersIsDecimalInMysql(long left, BigDecimal right, boolean equal)
    {
        assertThat(CellComparison.equal(left, right)).isEqualTo(equal);
    }
}
