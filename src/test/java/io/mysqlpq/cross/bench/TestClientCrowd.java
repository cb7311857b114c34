package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestClientCrowd
{
    private static final Answer ANSWER = new Answer(List.of("x"), List.of(List.of(1L)));
    private static final List<Entry<BenchQuery, Answer>> QUERIES = IntStream.range(0, 8)
            .mapToObj(number -> Map.entry(BenchQuery.same("q" + number, "SELECT " + number), ANSWER))
            .toList();

    private final Queue<String> ran = new ConcurrentLinkedQueue<>();

    @Test
    void testEachClientBeginsAtAnotherQuery()
    {
        Work work = new ClientCrowd(Collections.nCopies(4, session()), Duration.ZERO, QUERIES).run();
        assertThat(ran).containsExactlyInAnyOrder("q0", "q2", "q4", "q6");
        assertThat(work.done()).isEqualTo(4);
        assertThat(work.errors()).isZero();
    }

    @Test
    void testClientsGoOnUntilTheEnd()
    {
        Work work = new ClientCrowd(Collections.nCopies(2, session()), Duration.ofMillis(50), QUERIES).run();
        assertThat(ran).contains("q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7");
        assertThat(work.done()).isEqualTo(ran.size());
        assertThat(work.seconds()).isGreaterThanOrEqualTo(0.05);
    }

    @Test
    void testFailedQueriesAreCountedApart()
    {
        AtomicInteger queries = new AtomicInteger();
        SideSession failing = session(() -> {
            if (queries.getAndIncrement() % 2 == 0) {
                throw new SQLException("Too many connections");
            }
        });
        Work work = new ClientCrowd(Collections.nCopies(8, failing), Duration.ZERO, QUERIES).run();
        assertThat(work.done()).isEqualTo(4);
        assertThat(work.errors()).isEqualTo(4);
    }

    @Test
    void testWrongAnswerFails()
    {
        SideSession wrong = session(() -> {
            throw new IllegalStateException("the answers of two runs differ");
        });
        assertThatThrownBy(() -> new ClientCrowd(List.of(wrong), Duration.ZERO, QUERIES).run()).hasRootCauseMessage("the answers of two runs differ");
    }

    private SideSession session()
    {
        return session(() -> {});
    }

    private SideSession session(Query query)
    {
        return new SideSession() {
            @Override
            public Answer answer(BenchQuery sql)
            {
                return ANSWER;
            }

            @Override
            public double seconds(BenchQuery sql, Answer expected)
                    throws SQLException
            {
                query.run();
                ran.add(sql.name());
                return 0.001;
            }

            @Override
            public void close()
            {}
        };
    }

    private interface Query
    {
        void run()
                throws SQLException;
    }
}
