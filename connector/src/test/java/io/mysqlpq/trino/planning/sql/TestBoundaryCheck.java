package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.TextKeyValue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.math.BigInteger;
import java.sql.Connection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Hands boundaries out of order to the check, as a fault would. */
@TestInstance(PER_CLASS)
class TestBoundaryCheck
{
    private static final KeyColumn CASELESS = KeyColumn.text("name", "utf8mb4", "utf8mb4_0900_ai_ci");
    private static final KeyColumn BY_BYTES = KeyColumn.text("name", "utf8mb4", "utf8mb4_bin");
    private static final KeyColumn NUMBER = KeyColumn.integer("n");

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().start();

    @Test
    void testOrderOfTheCollation()
            throws Exception
    {
        assertKept(CASELESS, bounds("a", "B", "c"), "a", "B", "c");
        assertKept(BY_BYTES, bounds("B", "a", "c"), "B", "a", "c");
        assertKept(CASELESS.withDescending(), bounds("c", "B", "a"), "c", "B", "a");
    }

    @Test
    void testDisorderIsJoined()
            throws Exception
    {
        assertKept(BY_BYTES, bounds("a", "B", "c"), "a", "c");
        assertKept(CASELESS, bounds("a", "A", "b"), "a", "b");
        assertKept(CASELESS, bounds("c", "b", "a"), "c");
        assertKept(CASELESS.withDescending(), bounds("a", "b"), "a");
    }

    @Test
    void testLaterColumnDecides()
            throws Exception
    {
        List<KeyBound> increasing = List.of(bound("a", 1), bound("A", 2), bound("b", 1));
        assertThat(boundaries(check(List.of(CASELESS, NUMBER), increasing))).isEqualTo(increasing);
        assertThat(boundaries(check(List.of(CASELESS, NUMBER), List.of(bound("a", 2), bound("A", 1), bound("b", 0))))).containsExactly(bound("a", 2), bound("b", 0));
    }

    private void assertKept(KeyColumn column, List<KeyBound> bounds, String... kept)
            throws Exception
    {
        List<EstimatedRange> checked = check(List.of(column), bounds);
        assertThat(boundaries(checked)).isEqualTo(bounds(kept));
        assertThat(checked.stream().mapToLong(EstimatedRange::estimatedRows).sum()).isEqualTo(bounds.size() + 1);
        assertThat(checked.getFirst().range().lower()).isEmpty();
        assertThat(checked.getLast().range().upper()).isEmpty();
    }

    private List<EstimatedRange> check(List<KeyColumn> columns, List<KeyBound> bounds)
            throws Exception
    {
        List<EstimatedRange> ranges = IntStream.rangeClosed(0, bounds.size())
                .mapToObj(i -> new KeyRange(i == 0 ? Optional.empty() : Optional.of(bounds.get(i - 1)), i == bounds.size() ? Optional.empty() : Optional.of(bounds.get(i))))
                .map(range -> new EstimatedRange(range, 1))
                .toList();
        try (Connection connection = mysql.connect()) {
            StatementBudget budget = new StatementBudget(PlannedTable.CONFIG, Ticker.systemTicker());
            IndexKey key = new IndexKey("PRIMARY", true, columns);
            return new BoundaryCheck(new KeyStatements(connection, UnaryOperator.identity(), "t", key, name -> "`" + name + "`", budget), columns).checked(ranges);
        }
    }

    private static List<KeyBound> boundaries(List<EstimatedRange> ranges)
    {
        return ranges.stream().flatMap(range -> range.range().upper().stream()).toList();
    }

    private static List<KeyBound> bounds(String... names)
    {
        return Stream.of(names).map(TestBoundaryCheck::text).map(KeyBound::of).toList();
    }

    private static KeyBound bound(String name, int number)
    {
        return new KeyBound(ImmutableList.of(text(name), IntegerKeyValue.of(BigInteger.valueOf(number))));
    }

    private static TextKeyValue text(String text)
    {
        return new TextKeyValue(HexFormat.of().formatHex(text.getBytes(UTF_8)));
    }
}
