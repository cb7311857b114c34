package io.mysqlpq.extension;

import io.mysqlpq.testing.BalanceShape;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Measures how even 64 ranges of a million rows are, against equal steps from the smallest to the largest key, and
 * prints the table of docs/balance.md. Takes minutes, so no set of tests runs it: {@code ./pq balance} does.
 */
@TestInstance(PER_CLASS)
class BalanceBenchmark
{
    private static final int RANGES = 64;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("innodb-buffer-pool-size", "512M").start();

    @Test
    void measureBalance()
    {
        System.out.println("| shape | ranges | largest, rows | largest, bytes | | min/max: non-empty | largest, rows | largest, bytes |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (BalanceShape shape : BalanceShape.all()) {
            try (Session session = new Session(server)) {
                session.execute(shape.creation().toArray(String[]::new));
                List<Range> extension = byExtension(session, shape);
                List<Range> naive = bySteps(session, shape);
                System.out.printf(
                        "| %s | %s | %s | %s | | %s | %s | %s |%n",
                        shape.title(),
                        extension.size(), largest(extension, Range::rows), largest(extension, Range::bytes),
                        naive.size(), largest(naive, Range::rows), largest(naive, Range::bytes));
                assertThat(extension.stream().mapToLong(Range::rows).sum()).isEqualTo(BalanceShape.ROWS);
                assertThat(naive.stream().mapToLong(Range::rows).sum()).isEqualTo(BalanceShape.ROWS);
            }
        }
    }

    private record Range(long rows, long bytes)
    {}

    private static List<Range> byExtension(Session session, BalanceShape shape)
    {
        List<String> partitions = session.values("SELECT partition_name FROM information_schema.partitions WHERE table_schema = 'balance' AND partition_name IS NOT NULL");
        if (partitions.isEmpty()) {
            return ranges(session, shape, "balance.t", RangePlan.ask(session, "balance.t", shape.index(), RANGES));
        }
        // Shared out by size, as a client does.
        List<Long> rows = partitions.stream().map(partition -> ask(session, shape, partition, 1).rows().getFirst()).toList();
        long all = rows.stream().mapToLong(Long::longValue).sum();
        return IntStream.range(0, partitions.size())
                .mapToObj(i -> ranges(
                        session,
                        shape,
                        "balance.t PARTITION (%s)".formatted(partitions.get(i)),
                        ask(session, shape, partitions.get(i), Math.max(1, Math.round((double) RANGES * rows.get(i) / all)))))
                .flatMap(List::stream)
                .toList();
    }

    private static RangePlan ask(Session session, BalanceShape shape, String partition, long count)
    {
        return RangePlan.ask(session, "balance.t", shape.index(), count, "{\"partition\": \"%s\"}".formatted(partition));
    }

    // A row's range is the number of boundaries that it does not lie before.
    private static List<Range> ranges(Session session, BalanceShape shape, String table, RangePlan plan)
    {
        KeyPredicate predicate = new KeyPredicate(plan.columns());
        String number = plan.boundaries().isEmpty() ? "0" : plan.boundaries().stream().map(boundary -> "(NOT %s)".formatted(predicate.before(boundary))).collect(Collectors.joining(" + "));
        return group(session, shape, table, number);
    }

    // Equal steps between the least and the greatest value, as clients cut that know no more.
    private static List<Range> bySteps(Session session, BalanceShape shape)
    {
        String least = session.value("SELECT MIN(%s) FROM balance.t".formatted(shape.position()));
        String greatest = session.value("SELECT MAX(%s) FROM balance.t".formatted(shape.position()));
        return group(session, shape, "balance.t", "LEAST(%1$s, FLOOR((%2$s - %3$s) * 1e0 / (%4$s - %3$s) * %5$s))".formatted(RANGES - 1, shape.position(), least, greatest, RANGES));
    }

    private static List<Range> group(Session session, BalanceShape shape, String table, String number)
    {
        return session.values("SELECT CONCAT(COUNT(*), ' ', CAST(SUM(%s) AS SIGNED)) FROM (SELECT *, %s AS part FROM %s) r GROUP BY part".formatted(shape.bytes(), number, table)).stream()
                .map(line -> line.split(" ", 2))
                .map(numbers -> new Range(Long.parseLong(numbers[0]), Long.parseLong(numbers[1])))
                .toList();
    }

    // How many times as large as it would be if all 64 were the same.
    private static String largest(List<Range> ranges, ToLongFunction<Range> size)
    {
        long sum = ranges.stream().mapToLong(size).sum();
        return "%.2f ×".formatted((double) ranges.stream().mapToLong(size).max().orElseThrow() * RANGES / sum);
    }
}
