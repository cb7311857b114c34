package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;

import java.util.List;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.key.BoundOrder.precedes;
import static java.lang.Math.min;

/**
 * Tells how the rows of a table stand, seen from a secondary index: in about its order, or anywhere.
 *
 * <p>The boundaries between even parts of the index are a sample of its entries, and each entry ends with the row's primary key. If neighbours come now
 * before and now behind one another in the primary key, each row that the index leads to is on another page.
 */
final class RowOrder
{
    private static final int PARTS = 64;
    private static final int FEWEST_PAIRS = 16;
    // If 63 pairs go up or down by chance, fewer than a quarter go one way in one case of 30,000.
    private static final int LEAST_PART = 4;

    private RowOrder()
    {}

    static RangesRequest sample(String schema, String table, String index)
    {
        return new RangesRequest(schema, table, index, PARTS, KeyRange.all());
    }

    /** @param keyColumn the first column of the primary key */
    static boolean isRandom(RangesReply sample, String keyColumn)
    {
        List<KeyColumn> columns = sample.key().columns();
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).name().equals(keyColumn))
                .anyMatch(i -> isRandom(sample.boundaries().stream().map(bound -> bound.values().get(i)).toList(), columns.get(i)));
    }

    private static boolean isRandom(List<KeyValue> keys, KeyColumn column)
    {
        int up = 0;
        int down = 0;
        for (int i = 1; i < keys.size(); i++) {
            if (precedes(column, keys.get(i - 1), keys.get(i))) {
                up++;
            }
            else if (precedes(column, keys.get(i), keys.get(i - 1))) {
                down++;
            }
        }
        return up + down >= FEWEST_PAIRS && min(up, down) >= (up + down) / LEAST_PART;
    }
}
