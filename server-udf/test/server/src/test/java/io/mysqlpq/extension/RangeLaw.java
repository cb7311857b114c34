package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

import java.util.List;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * States what must hold for every plan: each row lies in exactly one range, and boundaries ascend.
 */
final class RangeLaw
{
    private final Session session;
    private final String table;
    private final RangePlan plan;

    RangeLaw(Session session, String table, RangePlan plan)
    {
        this.session = session;
        this.table = table;
        this.plan = plan;
    }

    // What literals of dates need.
    static Session utcSession(MysqlServer server)
    {
        return new Session(server).execute("SET time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'");
    }

    void check()
    {
        assertEachRowInOneRange();
        assertReadersFindAllRows();
        assertBoundariesAscend();
    }

    // Counts for each row in how many ranges it lies, in one statement and so in one view.
    void assertEachRowInOneRange()
    {
        String ranges = String.join(" + ", plan.predicates());
        assertThat(session.number("SELECT COUNT(*) FROM %s WHERE (%s) <> 1".formatted(table, ranges)))
                .as("rows of %s in no range or in several", table)
                .isZero();
    }

    // As a reader does it: one statement per range.
    void assertReadersFindAllRows()
    {
        long rows = plan.predicates().stream().mapToLong(this::rowsIn).sum();
        assertThat(rows).as("rows of %s over all ranges", table).isEqualTo(session.number("SELECT COUNT(*) FROM " + table));
    }

    // Only MySQL compares keys: each boundary is put into a one-row table, whose columns hold no more than the prefixes.
    void assertBoundariesAscend()
    {
        List<KeyColumn> columns = IntStream.range(0, plan.columns().size()).mapToObj(i -> plan.columns().get(i).renamed("c" + i)).toList();
        KeyPredicate predicate = new KeyPredicate(columns);
        for (int i = 1; i < plan.boundaries().size(); i++) {
            List<String> lesser = plan.boundaries().get(i - 1);
            List<String> greater = plan.boundaries().get(i);
            assertThat(session.number("SELECT %s FROM (SELECT %s) k".formatted(predicate.before(greater), row(columns, lesser))))
                    .as("%s sorts before %s", lesser, greater)
                    .isEqualTo(1);
        }
    }

    // Holds where no row was ever deleted or changed: a wrongly decoded boundary is the key of no row.
    void assertBoundariesAreRows()
    {
        KeyPredicate predicate = new KeyPredicate(plan.columns());
        assertThat(plan.boundaries()).allSatisfy(boundary -> assertThat(session.number("SELECT COUNT(*) FROM %s WHERE %s".formatted(table, predicate.equal(boundary))))
                .as("rows with the key %s", boundary)
                .isPositive());
    }

    List<Long> rowsPerRange()
    {
        return plan.predicates().stream().map(this::rowsIn).toList();
    }

    private long rowsIn(String predicate)
    {
        return session.number("SELECT COUNT(*) FROM %s WHERE %s".formatted(table, predicate));
    }

    private static String row(List<KeyColumn> columns, List<String> key)
    {
        return IntStream.range(0, key.size())
                .mapToObj(i -> "%s AS %s".formatted(columns.get(i).literal(key.get(i)), columns.get(i).name()))
                .collect(joining(", "));
    }
}
