package io.mysqlpq.trino.key;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Narrows ranges of a key of an integer and a text, ascending and descending, to parts of the integer. */
class TestRangeIntersection
{
    private static final List<KeyColumn> ASCENDING = List.of(KeyColumn.integer("a"), KeyColumn.text("b", "utf8mb4", "utf8mb4_bin"));
    private static final List<KeyColumn> DESCENDING = List.of(KeyColumn.integer("a").withDescending(), KeyColumn.text("b", "utf8mb4", "utf8mb4_bin"));

    @Test
    void testOpenRanges()
    {
        KeyRange part = new KeyRange(bound(3), bound(9));
        assertThat(RangeIntersection.narrow(ASCENDING, KeyRange.all(), part)).isEqualTo(part);
        assertThat(RangeIntersection.narrow(ASCENDING, part, KeyRange.all())).isEqualTo(part);
        assertThat(RangeIntersection.narrow(ASCENDING, KeyRange.all(), KeyRange.all())).isEqualTo(KeyRange.all());
    }

    @Test
    void testNarrowerBoundsCount()
    {
        KeyRange range = new KeyRange(bound(3, "61"), bound(9, "61"));
        assertThat(RangeIntersection.narrow(ASCENDING, range, new KeyRange(bound(4), bound(8)))).isEqualTo(new KeyRange(bound(4), bound(8)));
        assertThat(RangeIntersection.narrow(ASCENDING, range, new KeyRange(bound(2), bound(10)))).isEqualTo(range);
        assertThat(RangeIntersection.narrow(ASCENDING, range, new KeyRange(bound(4), bound(10)))).isEqualTo(new KeyRange(bound(4), bound(9, "61")));
        KeyRange falling = new KeyRange(bound(9, "61"), bound(3, "61"));
        assertThat(RangeIntersection.narrow(DESCENDING, falling, new KeyRange(bound(8), bound(4)))).isEqualTo(new KeyRange(bound(8), bound(4)));
        assertThat(RangeIntersection.narrow(DESCENDING, falling, new KeyRange(bound(10), bound(2)))).isEqualTo(falling);
    }

    /** The range stays as it is there. */
    @Test
    void testEqualFirstValues()
    {
        KeyRange range = new KeyRange(bound(3, "61"), bound(9, "61"));
        assertThat(RangeIntersection.narrow(ASCENDING, range, new KeyRange(bound(3), bound(9)))).isEqualTo(range);
    }

    @Test
    void testValuesThatOnlyMysqlCompares()
    {
        List<KeyColumn> texts = List.of(KeyColumn.text("b", "utf8mb4", "utf8mb4_0900_ai_ci"));
        KeyRange range = new KeyRange(Optional.of(KeyBound.of(new TextKeyValue("61"))), Optional.empty());
        assertThat(RangeIntersection.narrow(texts, range, new KeyRange(Optional.of(KeyBound.of(new TextKeyValue("62"))), Optional.empty()))).isEqualTo(range);
        KeyRange fromNull = new KeyRange(Optional.of(KeyBound.of(new NullKeyValue())), Optional.empty());
        assertThat(RangeIntersection.narrow(ASCENDING, fromNull, new KeyRange(bound(3), Optional.empty()))).isEqualTo(fromNull);
    }

    private static Optional<KeyBound> bound(int first)
    {
        return Optional.of(KeyBound.of(new IntegerKeyValue("" + first)));
    }

    private static Optional<KeyBound> bound(int first, String second)
    {
        return Optional.of(KeyBound.of(new IntegerKeyValue("" + first), new TextKeyValue(second)));
    }
}
