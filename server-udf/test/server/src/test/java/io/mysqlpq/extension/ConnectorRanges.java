package io.mysqlpq.extension;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a table by a key of one column as the connector does, whose ExtensionRangePlanner and ExpressibleRanges have the same rules.
 *
 * @param estimatedRows of the table
 * @param boundaries between the ranges
 */
record ConnectorRanges(long estimatedRows, List<KeyColumn> columns, List<String> boundaries)
{
    // The connector's default.
    private static final int MOST_RANGES = 128;
    private static final int PARTS_OF_RANGE = 8;

    /**
     * @param count as many as the target of rows per split asks for
     * @param options of mysql_pq_ranges, null if there are none
     */
    static ConnectorRanges plan(Session session, String table, int count, String options)
    {
        RangePlan plan = RangePlan.ask(session, table, "PRIMARY", MOST_RANGES, options);
        if (plan.count() < count * PARTS_OF_RANGE && count < plan.count()) {
            plan = RangePlan.ask(session, table, "PRIMARY", count, options);
        }
        return new ConnectorRanges(plan.rows().stream().mapToLong(Long::longValue).sum(), plan.columns(), merge(plan, count));
    }

    private static List<String> merge(RangePlan plan, int count)
    {
        List<Long> sizes = plan.bytes() == null ? plan.rows() : plan.bytes();
        double total = sizes.stream().mapToLong(size -> Math.max(size, 1)).sum();
        double passed = 0;
        int places = 1;
        List<String> boundaries = new ArrayList<>();
        for (int i = 0; i < plan.boundaries().size(); i++) {
            passed += Math.max(sizes.get(i), 1);
            double next = Math.max(sizes.get(i + 1), 1);
            if (count >= plan.count() || (places < count && count * (passed + next / 2) >= total * places)) {
                boundaries.add(plan.boundaries().get(i).getFirst());
                do {
                    places++;
                } while (count < plan.count() && places < count && total * places <= count * passed);
            }
        }
        return boundaries;
    }

    int count()
    {
        return boundaries.size() + 1;
    }

    /** Returns the options of mysql_pq_scan, followed by a comma. */
    String options(int range)
    {
        String lower = range == 0 ? "" : "\"lower\": [\"%s\"], ".formatted(boundaries.get(range - 1));
        return range == boundaries.size() ? lower : lower + "\"upper\": [\"%s\"], ".formatted(boundaries.get(range));
    }

    String predicate(int range)
    {
        return new KeyPredicate(columns).range(
                range == 0 ? null : List.of(boundaries.get(range - 1)),
                range == boundaries.size() ? null : List.of(boundaries.get(range)));
    }
}
