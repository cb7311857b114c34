package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Lists what the connector must reach at scale 1 on warm servers.
 */
final class Goals
{
    private static final String SCALE = "1";
    // Fewer leave a median to chance.
    private static final int ROUNDS = 7;
    private static final String STOCK = TrinoSide.STOCK.name();

    private Goals()
    {}

    static List<Goal> all()
            throws IOException
    {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(againstStock());
        goals.addAll(againstMysql());
        goals.addAll(noQuerySlower());
        goals.addAll(noQuerySlowerThanOneSplit());
        BenchCases.ON_BUSY_CORES.stream().sorted().map(query -> new SpeedGoal(BusyCase.name(query), STOCK, 1)).forEach(goals::add);
        goals.addAll(firstRows());
        goals.addAll(lookups());
        BenchCases.all(List.of()).stream().filter(LoadCase.class::isInstance).map(load -> new NoErrorsGoal(load.name())).forEach(goals::add);
        BenchQuery.COUNTED_BY_INDEX.keySet().stream().sorted().map("count(*) by %s"::formatted).forEach(query -> {
            goals.add(new SpeedGoal(query, STOCK, 2));
            goals.add(new SpeedGoal(query, MysqlSide.NAME, 2));
        });
        goals.add(new SpeedGoal(new FragmentedCase(1).name(), TrinoSide.NO_READAHEAD.name(), 3.5));
        goals.add(new SpeedGoal(new FragmentedCase(4).name(), TrinoSide.NO_READAHEAD.name(), 1.8));
        goals.add(new LinkGoal(LinkCase.name("all 16 columns"), 0.8));
        ConnectorxSide.QUERIES.stream().sorted().map(query -> new SpeedGoal(query, ConnectorxSide.NAME, 3)).forEach(goals::add);
        BenchCases.all(List.of()).stream().map(each -> new PresenceGoal(each.name())).forEach(goals::add);
        return List.copyOf(goals);
    }

    private static List<SpeedGoal> againstStock()
    {
        return List.of(
                new SpeedGoal("all 16 columns", STOCK, 18),
                new SpeedGoal("2 bigint columns", STOCK, 9.8),
                new SpeedGoal("count(*)", STOCK, 2),
                new SpeedGoal("Q1", STOCK, 24),
                new SpeedGoal("Q3", STOCK, 2.5),
                new SpeedGoal("Q5", STOCK, 1.5),
                new SpeedGoal("Q6", STOCK, 9.3),
                new SpeedGoal("Q10", STOCK, 2.5),
                new SpeedGoal("Q12", STOCK, 13),
                new SpeedGoal("Q14", STOCK, 2.3),
                new SpeedGoal("Q19", STOCK, 6));
    }

    private static List<SpeedGoal> againstMysql()
    {
        return List.of(
                new SpeedGoal("all 16 columns", MysqlSide.NAME, 2.5),
                new SpeedGoal("2 bigint columns", MysqlSide.NAME, 2),
                new SpeedGoal("count(*)", MysqlSide.NAME, 2),
                new SpeedGoal("Q1", MysqlSide.NAME, 5),
                new SpeedGoal("Q5", MysqlSide.NAME, 1.1),
                new SpeedGoal("Q6", MysqlSide.NAME, 2.5),
                new SpeedGoal("Q12", MysqlSide.NAME, 2));
    }

    private static List<SpeedGoal> noQuerySlower()
    {
        List<String> faster = againstStock().stream().map(SpeedGoal::query).toList();
        return IntStream.rangeClosed(1, 22)
                .mapToObj("Q%d"::formatted)
                .filter(query -> !faster.contains(query))
                .map(query -> new SpeedGoal(query, STOCK, 1))
                .toList();
    }

    private static List<SpeedGoal> noQuerySlowerThanOneSplit()
    {
        return IntStream.rangeClosed(1, 22).mapToObj("Q%d"::formatted).map(query -> new SpeedGoal(query, TrinoSide.ONE_SPLIT.name(), 1)).toList();
    }

    private static List<Goal> firstRows()
    {
        return List.of(
                new RatioGoal(BenchQuery.LIMITED_FILTER.name(), BenchQuery.FILTER.name(), 1.1),
                new RatioGoal(BenchQuery.FIRST_ROWS.name(), BenchQuery.GREATEST.name(), 1.2),
                new SpeedGoal(BenchQuery.FIRST_ROWS.name(), TrinoSide.ONE_SPLIT.name(), 1 / 0.6));
    }

    private static List<Goal> lookups()
    {
        List<String> loads = PointLookups.CLIENTS.stream().map(PointLookups::name).toList();
        return List.of(
                new SpeedGoal(PointLookups.name(8), STOCK, 3),
                new SpeedGoal(PointLookups.name(32), STOCK, 3),
                new LatencyGoal(PointLookups.name(8), TrinoSide.MEMORY.name(), 0.005),
                new LatencyGoal(PointLookups.name(32), TrinoSide.MEMORY.name(), 0.005),
                new PeakGoal(loads, 0.9));
    }

    /** @return a line for each goal that is missed or that no figure tells about */
    static List<String> shortfalls(BenchResults results)
            throws IOException
    {
        List<String> shortfalls = new ArrayList<>();
        if (!results.scale().equals(SCALE)) {
            shortfalls.add("scale %s: the goals are for scale %s".formatted(results.scale(), SCALE));
        }
        if (results.rounds() < ROUNDS) {
            shortfalls.add("%d rounds: the goals are for %d".formatted(results.rounds(), ROUNDS));
        }
        if (results.model().isEmpty()) {
            shortfalls.add("scaling model: absent");
        }
        all().stream().map(goal -> goal.shortfall(results)).flatMap(Optional::stream).distinct().forEach(shortfalls::add);
        return shortfalls;
    }
}
