package io.mysqlpq.cross.demo;

import io.mysqlpq.cross.running.Answer;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TextTable;
import io.mysqlpq.cross.running.TimedRun;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the demo's queries at once, and shows that each replica reads some of them, with equal answers. The argument is the number of replicas. */
public final class ReplicaDemo
{
    private static final String RUNS_ON = """
            SELECT server, sum(value) FILTER (WHERE attribute = 'Splits'), sum(value) FILTER (WHERE attribute = 'Rows')
            FROM TABLE(mysql_pq.system.counters())
            WHERE type = 'ReadTotals' AND server IS NOT NULL
            GROUP BY server
            ORDER BY server""";

    private ReplicaDemo()
    {}

    public static void main(String[] arguments)
            throws SQLException, IOException, InterruptedException, ExecutionException
    {
        RunningServers servers = RunningServers.fromEnvironment();
        int replicas = Integer.parseInt(arguments[0]);
        List<DemoQuery> queries = DemoQuery.all();
        try (ExecutorService clients = Executors.newFixedThreadPool(2 * replicas); Connection trino = servers.trino()) {
            List<Future<Answer>> answers = new ArrayList<>();
            // Twice as many clients as replicas, so that none has nothing to do.
            for (int client = 0; client < 2 * replicas; client++) {
                for (DemoQuery query : queries) {
                    answers.add(clients.submit(answer(servers, query)));
                }
            }
            assertEqual(queries, answers);
            TextTable table = new TextTable(List.of("replica", "splits", "rows"), List.of(false, true, true));
            Map<String, Long> splits = new HashMap<>();
            try (Statement statement = trino.createStatement(); ResultSet rows = statement.executeQuery(RUNS_ON)) {
                while (rows.next()) {
                    table.add(List.of(rows.getString(1), "%,d".formatted(rows.getLong(2)), "%,d".formatted(rows.getLong(3))));
                    splits.put(rows.getString(1), rows.getLong(2));
                }
            }
            System.out.printf("%n%d queries of %d clients at once, answers equal:%n%n", answers.size(), 2 * replicas);
            table.print(System.out);
            if (splits.size() != replicas || splits.containsValue(0L)) {
                throw new IllegalStateException("Not each of %d replicas was read: %s".formatted(replicas, splits));
            }
        }
    }

    private static Callable<Answer> answer(RunningServers servers, DemoQuery query)
    {
        return () -> {
            try (Connection trino = servers.trino(); Statement statement = trino.createStatement()) {
                // What another query has kept would leave a replica unread.
                statement.execute("SET SESSION mysql_pq.read_reuse_enabled = false");
                return TimedRun.of(trino, query.sql()).answer();
            }
        };
    }

    private static void assertEqual(List<DemoQuery> queries, List<Future<Answer>> answers)
            throws InterruptedException, ExecutionException
    {
        for (int i = 0; i < answers.size(); i++) {
            int query = i % queries.size();
            if (!answers.get(i).get().equals(answers.get(query).get())) {
                throw new IllegalStateException("%s: answers of two replicas differ".formatted(queries.get(query).name()));
            }
        }
    }
}
