package io.mysqlpq.cross.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what the script hands over, as pairs of a name and a value.
 *
 * @param queries names of those to time, all if empty
 * @param folder of the results
 * @param stock whether Trino has its own MySQL connector too
 * @param connectorx the Python that has ConnectorX, if it is to run
 * @param spark the folder of Spark's jars, if it is to run
 * @param asserted whether to fail if a goal is missed
 * @param tuned settings of a further side each
 * @param link whether we run in a network namespace of our own
 * @param busy whether queries are also timed while other processes keep each core busy
 * @param model whether to find out what size and ranges cost
 * @param resumed results of a run that did not come to its end, whose figures are kept
 * @param restart the command by which MySQL begins anew with nothing in memory, if it may
 */
record BenchOptions(String scale, int rounds, Set<String> queries, Path folder, String commit, boolean stock, Optional<Path> connectorx, Optional<Path> spark, boolean asserted, List<String> tuned, boolean link, boolean busy, boolean model, Optional<Path> resumed, Optional<String> restart)
{
    static BenchOptions parse(List<String> arguments)
    {
        String scale = "1";
        int rounds = 1;
        Set<String> queries = Set.of();
        Path folder = Path.of(".");
        String commit = "unknown";
        boolean stock = false;
        Optional<Path> connectorx = Optional.empty();
        Optional<Path> spark = Optional.empty();
        boolean asserted = false;
        List<String> tuned = new ArrayList<>();
        boolean link = false;
        boolean busy = false;
        boolean model = false;
        Optional<Path> resumed = Optional.empty();
        Optional<String> restart = Optional.empty();
        for (int i = 0; i < arguments.size(); i += 2) {
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "scale" -> scale = value;
                case "rounds" -> rounds = Integer.parseInt(value);
                case "queries" -> queries = Set.of(value.split(",", -1));
                case "folder" -> folder = Path.of(value);
                case "commit" -> commit = value;
                case "stock" -> stock = Boolean.parseBoolean(value);
                case "connectorx" -> connectorx = Optional.of(Path.of(value));
                case "spark" -> spark = Optional.of(Path.of(value));
                case "assert" -> asserted = Boolean.parseBoolean(value);
                case "tuned" -> tuned.add(value);
                case "link" -> link = Boolean.parseBoolean(value);
                case "busy" -> busy = Boolean.parseBoolean(value);
                case "model" -> model = Boolean.parseBoolean(value);
                case "resume" -> resumed = Optional.of(Path.of(value));
                case "restart" -> restart = Optional.of(value);
                default -> throw new IllegalArgumentException("No such option: " + arguments.get(i));
            }
        }
        return new BenchOptions(scale, rounds, queries, folder, commit, stock, connectorx, spark, asserted, List.copyOf(tuned), link, busy, model, resumed, restart);
    }

    Set<Surroundings> surroundings()
    {
        Set<Surroundings> surroundings = EnumSet.of(Surroundings.WARM);
        if (link) {
            surroundings.add(Surroundings.LINK);
        }
        if (busy) {
            surroundings.add(Surroundings.BUSY);
        }
        if (restart.isPresent()) {
            surroundings.add(Surroundings.COLD);
        }
        return surroundings;
    }
}
