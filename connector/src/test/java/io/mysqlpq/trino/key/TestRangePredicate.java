package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class TestRangePredicate
{
    private static final KeyColumn A = KeyColumn.integer("a");
    private static final KeyColumn B = KeyColumn.integer("b");

    @Test
    void testOpenRange()
    {
        assertThat(sql(List.of(A), KeyRange.all())).isEmpty();
    }

    @Test
    void testSingleColumn()
    {
        assertThat(lower(List.of(A), number(5))).isEqualTo("(`a` >= 5)");
        assertThat(upper(List.of(A), number(5))).isEqualTo("(`a` < 5)");
        assertThat(lower(List.of(A.withDescending()), number(5))).isEqualTo("(`a` <= 5)");
        assertThat(upper(List.of(A.withDescending()), number(5))).isEqualTo("(`a` > 5)");
    }

    @Test
    void testMaybeYears()
    {
        for (int year : new int[] {0, 1901, 2026, 2155}) {
            assertThat(lower(List.of(A), number(year))).isEqualTo("(`a` > %1$d OR `a` = %1$d)".formatted(year));
            assertThat(between(List.of(A), KeyBound.of(number(0)), KeyBound.of(number(year == 0 ? 2155 : year)))).doesNotContain("BETWEEN");
        }
        for (int other : new int[] {-2026, 1, 1900, 2156}) {
            assertThat(lower(List.of(A), number(other))).isEqualTo("(`a` >= %d)".formatted(other));
        }
    }

    @Test
    void testBothBounds()
    {
        KeyRange range = new KeyRange(Optional.of(KeyBound.of(number(1))), Optional.of(KeyBound.of(number(9))));
        assertThat(sql(List.of(A), range)).contains("(`a` BETWEEN 1 AND 8)");
    }

    @Test
    void testBetween()
    {
        assertThat(between(List.of(A), KeyBound.of(number(20_000)), KeyBound.of(number(30_000)))).isEqualTo("(`a` BETWEEN 20000 AND 29999)");
        assertThat(between(List.of(A, B), KeyBound.of(number(20_000), number(7)), KeyBound.of(number(30_000), number(8))))
                .isEqualTo("(`a` BETWEEN 20001 AND 29999 OR (`a` = 20000 AND (`b` >= 7)) OR (`a` = 30000 AND (`b` < 8)))");
        assertThat(between(List.of(A, B), KeyBound.of(number(20_000)), KeyBound.of(number(20_001), number(8))))
                .isEqualTo("(`a` BETWEEN 20000 AND 20000 OR (`a` = 20001 AND (`b` < 8)))");
        assertThat(between(List.of(A, B), KeyBound.of(number(20_000), number(7)), KeyBound.of(number(20_001))))
                .as("nothing between").isEqualTo("(`a` > 20000 OR (`a` = 20000 AND (`b` >= 7))) AND (`a` < 20001)");
        assertThat(between(List.of(A.withNullable()), KeyBound.of(number(20_000)), KeyBound.of(number(30_000)))).isEqualTo("(`a` BETWEEN 20000 AND 29999)");
        assertThat(between(List.of(A.withNullable()), KeyBound.of(new NullKeyValue()), KeyBound.of(number(30_000)))).doesNotContain("BETWEEN");
        assertThat(between(List.of(A.withDescending()), KeyBound.of(number(30_000)), KeyBound.of(number(20_000)))).doesNotContain("BETWEEN");
    }

    private static String between(List<KeyColumn> columns, KeyBound lower, KeyBound upper)
    {
        return sql(columns, new KeyRange(Optional.of(lower), Optional.of(upper))).orElseThrow();
    }

    @Test
    void testCompositeKey()
    {
        assertThat(lower(List.of(A, B), number(1), number(2))).isEqualTo("(`a` > 1 OR (`a` = 1 AND (`b` >= 2)))");
        assertThat(upper(List.of(A, B), number(1), number(2))).isEqualTo("(`a` < 1 OR (`a` = 1 AND (`b` < 2)))");
        assertThat(upper(List.of(A, B.withDescending()), number(1), number(2))).isEqualTo("(`a` < 1 OR (`a` = 1 AND (`b` > 2)))");
    }

    @Test
    void testNullSortsFirst()
    {
        assertThat(lower(List.of(A.withNullable()), number(5))).isEqualTo("(`a` >= 5)");
        assertThat(upper(List.of(A.withNullable()), number(5))).isEqualTo("(`a` < 5 OR `a` IS NULL)");
        assertThat(lower(List.of(A.withNullable()), new NullKeyValue())).isEqualTo("(`a` IS NOT NULL OR `a` IS NULL)");
        assertThat(upper(List.of(A.withNullable()), new NullKeyValue())).isEqualTo("(FALSE)");
    }

    @Test
    void testNullSortsLastWhenDescending()
    {
        assertThat(lower(List.of(A.withNullable().withDescending()), number(5))).isEqualTo("(`a` < 5 OR `a` IS NULL OR `a` = 5)");
        assertThat(upper(List.of(A.withNullable().withDescending()), number(5))).isEqualTo("(`a` > 5)");
        assertThat(lower(List.of(A.withNullable().withDescending()), new NullKeyValue())).isEqualTo("(`a` IS NULL)");
        assertThat(upper(List.of(A.withNullable().withDescending()), new NullKeyValue())).isEqualTo("(`a` IS NOT NULL)");
    }

    @Test
    void testTextLiteral()
    {
        KeyColumn text = KeyColumn.text("t`x", "latin1", "latin1_swedish_ci");
        assertThat(upper(List.of(text), new TextKeyValue("e927"))).isEqualTo("(`t``x` < CONVERT(X'e927' USING latin1) COLLATE latin1_swedish_ci)");
        assertThat(upper(List.of(text), new TextKeyValue(""))).isEqualTo("(`t``x` < CONVERT(X'' USING latin1) COLLATE latin1_swedish_ci)");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', delimiter = '|', value = {
            "DECIMAL|-0.50|-0.50", "DOUBLE|1.5e-07|1.5e-07", "BINARY|00ff|X'00ff'", "TIME|-100:00:00.5|TIME'-100:00:00.5'",
            "DATE|2020-00-00|20200000", "DATETIME|2026-11-21 15:00:00|TIMESTAMP'2026-11-21 15:00:00'"})
    void testLiterals(KeyEncoding encoding, String value, String literal)
    {
        KeyColumn column = KeyColumn.of("c", encoding);
        assertThat(upper(List.of(column), KeyValue.fromProtocol(column, value))).isEqualTo("(`c` < %s)".formatted(literal));
    }

    @Test
    void testListedValues()
    {
        KeyColumn members = KeyColumn.integer("e").withListedUpTo("4");
        assertThat(lower(List.of(members), number(2))).isEqualTo("(`e` IN (3, 4) OR `e` = 2)");
        assertThat(upper(List.of(members), number(2))).isEqualTo("(`e` IN (0, 1))");
        assertThat(lower(List.of(members), number(4))).isEqualTo("(`e` = 4)");
        assertThat(upper(List.of(members), number(0))).isEqualTo("(FALSE)");
        assertThat(upper(List.of(members.withNullable(), B), number(1), number(7))).isEqualTo("(`e` IN (0) OR `e` IS NULL OR (`e` = 1 AND (`b` < 7)))");
        assertThat(lower(List.of(members.withDescending()), number(1))).isEqualTo("(`e` IN (0) OR `e` = 1)");
    }

    private static KeyValue number(int value)
    {
        return new IntegerKeyValue(Integer.toString(value));
    }

    private static String lower(List<KeyColumn> columns, KeyValue... values)
    {
        return sql(columns, new KeyRange(Optional.of(KeyBound.of(values)), Optional.empty())).orElseThrow();
    }

    private static String upper(List<KeyColumn> columns, KeyValue... values)
    {
        return sql(columns, new KeyRange(Optional.empty(), Optional.of(KeyBound.of(values)))).orElseThrow();
    }

    private static Optional<String> sql(List<KeyColumn> columns, KeyRange range)
    {
        return new RangePredicate(new IndexKey("PRIMARY", true, ImmutableList.copyOf(columns)), name -> "`" + name.replace("`", "``") + "`").toSql(range);
    }
}
