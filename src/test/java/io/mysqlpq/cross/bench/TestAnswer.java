package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestAnswer
{
    @Test
    void testTiesMayComeInAnyOrder()
    {
        Answer answer = answer(row("2.50", "a"), row("2.50", "b"), row("1.00", "c"));
        Answer tiesSwapped = answer(row("2.50", "b"), row("2.50", "a"), row("1.00", "c"));
        assertThat(answer.equals(tiesSwapped, List.of("total"))).isTrue();
        Answer disordered = answer(row("2.50", "a"), row("1.00", "c"), row("2.50", "b"));
        assertThat(answer.equals(disordered, List.of("total"))).isFalse();
        assertThat(answer.equals(disordered, List.of())).isTrue();
    }

    @Test
    void testOtherRows()
    {
        Answer answer = answer(row("2.50", "a"), row("2.50", "b"));
        assertThat(answer.equals(answer(row("2.50", "a"), row("2.50", "a")), List.of())).isFalse();
        assertThat(answer.equals(answer(row("2.51", "a"), row("2.50", "b")), List.of())).isFalse();
        assertThat(answer.equals(answer(row("2.50", "a")), List.of())).isFalse();
    }

    @Test
    void testRowsMeetWhereTheirLastDigitsDiffer()
    {
        Answer ours = answer(row("9.995", "b"), row("10.004", "a"));
        Answer theirs = answer(row("10.00", "b"), row("10.00", "a"));
        assertThat(ours.equals(theirs, List.of())).isTrue();
    }

    @Test
    void testCells()
    {
        assertThat(Answer.cell(7)).isEqualTo(7L);
        assertThat(Answer.cell(new byte[] {1, (byte) 0xFE})).isEqualTo("01fe");
        assertThat(Answer.cell(null)).isEqualTo("null");
    }

    private static Answer answer(Row... rows)
    {
        return new Answer(List.of("total", "name"), Arrays.stream(rows).map(row -> List.<Object>of(row.total(), row.name())).toList());
    }

    private static Row row(String total, String name)
    {
        return new Row(new BigDecimal(total), name);
    }

    private record Row(BigDecimal total, String name)
    {}
}
