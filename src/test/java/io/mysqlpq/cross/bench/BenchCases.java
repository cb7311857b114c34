package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Lists what the benchmark times.
 */
final class BenchCases
{
    private static final Duration LOOKUPS_LAST = Duration.ofSeconds(5);
    // Longer than many clients' queries take, as their first all wait for one another.
    private static final Duration LOOKUPS_LAST_FOR_EACH_CLIENT = Duration.ofMillis(100);
    private static final int LOOKUPS = 1000;
    private static final int DASHBOARD_CLIENTS = 50;
    private static final Set<String> OVER_A_LINK = Set.of("all 16 columns", "2 bigint columns", "12 text columns");
    // Those whose fixed costs are the largest part of their time.
    static final Set<String> ON_BUSY_CORES = Set.of("Q5", "Q16", "date range");
    private static final Set<String> COLD = Set.of("all 16 columns", "2 bigint columns", "Q6");

    private BenchCases()
    {}

    static List<BenchCase> all(List<Long> orderKeys)
            throws IOException
    {
        List<BenchCase> cases = new ArrayList<>();
        BenchQuery.all().forEach(query -> cases.add(new QueryCase(query)));
        for (int clients : PointLookups.CLIENTS) {
            cases.add(new LoadCase(PointLookups.name(clients), clients, lookupsLast(clients), PointLookups.queries(orderKeys)));
        }
        for (int query : List.of(1, 6)) {
            for (int streams : List.of(1, 2, 4, 8)) {
                cases.add(new LoadCase("Q%d x %d".formatted(query, streams), streams, Duration.ZERO, List.of(BenchQuery.tpch(query))));
            }
        }
        cases.add(new LoadCase("dashboard x " + DASHBOARD_CLIENTS, DASHBOARD_CLIENTS, Duration.ZERO, Dashboard.queries(DASHBOARD_CLIENTS)));
        cases.add(new CopyCase());
        cases.addAll(WriteCase.all());
        for (BenchQuery query : BenchQuery.all()) {
            if (OVER_A_LINK.contains(query.name())) {
                cases.add(new LinkCase(new QueryCase(query)));
            }
        }
        for (BenchQuery query : BenchQuery.all()) {
            if (ON_BUSY_CORES.contains(query.name())) {
                cases.add(new BusyCase(new QueryCase(query)));
            }
        }
        // Last, as it leaves MySQL with other sessions and nothing in memory.
        for (BenchQuery query : BenchQuery.all()) {
            if (COLD.contains(query.name())) {
                cases.add(new ColdCase(query));
            }
        }
        FragmentedCase.RANGES.forEach(ranges -> cases.add(new FragmentedCase(ranges)));
        return List.copyOf(cases);
    }

    private static Duration lookupsLast(int clients)
    {
        return Collections.max(List.of(LOOKUPS_LAST, LOOKUPS_LAST_FOR_EACH_CLIENT.multipliedBy(clients)));
    }

    /** Those that look-ups read. */
    static List<Long> orderKeys(BenchServers servers)
            throws SQLException
    {
        return servers.orderKeys(LOOKUPS);
    }

    /**
     * @param names of those that are wanted, all if empty
     * @param surroundings what there is
     */
    static List<BenchCase> named(Set<String> names, Set<Surroundings> surroundings, BenchServers servers)
            throws SQLException, IOException
    {
        List<BenchCase> all = all(orderKeys(servers)).stream().filter(each -> surroundings.contains(each.surroundings())).toList();
        List<BenchCase> cases = all.stream().filter(each -> names.isEmpty() || names.contains(each.name())).toList();
        if (cases.size() < names.size()) {
            throw new IllegalArgumentException("There is no query for each name of %s; there are %s".formatted(names, all.stream().map(BenchCase::name).toList()));
        }
        return cases;
    }
}
