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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the demo's queries at once, and shows that each replica reads some of them, with equal answers. Then runs a query that all replicas read. The argument is
 * the number of replicas.
 */
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
            System.out.printf("%n%d queries of %d clients at once, answers equal:%n%n", answers.size(), 2 * replicas);
            Map<String, Work> before = work(trino);
            show(replicas, before);

            Answer ofOne = answer(trino, 1);
            Map<String, Work> between = work(trino);
            Answer ofAll = answer(trino, replicas);
            if (!ofAll.equals(ofOne)) {
                throw new IllegalStateException("One replica and all of them at one moment give different answers");
            }
            System.out.printf("%none query on all replicas, at one moment:%n%n");
            Map<String, Work> after = work(trino);
            after.replaceAll((server, work) -> work.minus(between.get(server)));
            show(replicas, after);
        }
    }

    // Trino computes the checksum, so that all rows are read.
    private static Answer answer(Connection trino, int replicas)
            throws SQLException
    {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION mysql_pq.read_reuse_enabled = false");
            statement.execute("SET SESSION mysql_pq.replicas_per_query = " + replicas);
            // A small table has several ranges too.
            statement.execute("SET SESSION mysql_pq.parallel_min_rows = 1");
            statement.execute("SET SESSION mysql_pq.target_rows_per_split = 5000");
        }
        return TimedRun.of(trino, "SELECT count(*), to_hex(checksum(l_comment)) FROM mysql_pq.tpch.lineitem").answer();
    }

    private record Work(long splits, long rows)
    {
        Work minus(Work other)
        {
            return new Work(splits - other.splits, rows - other.rows);
        }
    }

    private static Map<String, Work> work(Connection trino)
            throws SQLException
    {
        Map<String, Work> work = new TreeMap<>();
        try (Statement statement = trino.createStatement(); ResultSet rows = statement.executeQuery(RUNS_ON)) {
            while (rows.next()) {
                work.put(rows.getString(1), new Work(rows.getLong(2), rows.getLong(3)));
            }
        }
        return work;
    }

    private static void show(int replicas, Map<String, Work> work)
    {
        TextTable table = new TextTable(List.of("replica", "splits", "rows"), List.of(false, true, true));
        work.forEach((server, done) -> table.add(List.of(server, "%,d".formatted(done.splits()), "%,d".formatted(done.rows()))));
        table.print(System.out);
        if (work.size() != replicas || work.values().stream().anyMatch(done -> done.splits() == 0)) {
            throw new IllegalStateException("Not each of %d replicas was read: %s".formatted(replicas, work));
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
