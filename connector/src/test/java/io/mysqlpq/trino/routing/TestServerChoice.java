package io.mysqlpq.trino.routing;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.throttle.ServerState;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TestServerChoice
{
    private static final Duration ANY = new Duration(0, MILLISECONDS);
    private static final ServerState FIT = lags(0);
    private static final ServerState STOPPED = new ServerState.Fit(Optional.empty(), true);
    private static final ServerState UNKNOWN = new ServerState.Fit(Optional.empty(), false);
    private static final ServerState UNFIT = new ServerState.Unfit("it is gone");

    @Test
    void testFewestQueriesByWeight()
    {
        int[] queries = new int[3];
        for (int i = 0; i < 60; i++) {
            List<Candidate> candidates = List.of(candidate("a", 1, FIT, queries[0]), candidate("b", 2, FIT, queries[1]), candidate("c", 3, FIT, queries[2]));
            queries[candidates.indexOf(choice(ANY).of(candidates).orElseThrow())]++;
        }
        assertThat(queries).containsExactly(10, 20, 30);
    }

    @Test
    void testLag()
    {
        Duration second = new Duration(1, SECONDS);
        assertThat(chosen(choice(second), candidate("a", 1, lags(1001), 0), candidate("b", 1, lags(1000), 9))).isEqualTo("b");
        assertThat(chosen(choice(second), candidate("a", 1, UNKNOWN, 0), candidate("b", 1, lags(1000), 9))).isEqualTo("b");
        assertThat(chosen(choice(ANY), candidate("a", 1, STOPPED, 0), candidate("b", 1, lags(1_000_000), 9))).isEqualTo("b");
        assertThat(chosen(choice(ANY), candidate("a", 1, UNFIT, 0), candidate("b", 1, STOPPED, 9))).isEqualTo("b");
        // What becomes of the query is decided where it begins to read.
        assertThat(chosen(choice(second), candidate("a", 1, lags(5000), 0), candidate("b", 1, lags(3000), 9), candidate("c", 1, STOPPED, 0))).isEqualTo("b");
        assertThat(choice(ANY).of(List.of(candidate("a", 1, UNFIT, 0)))).isEmpty();
        assertThat(choice(ANY).of(List.of())).isEmpty();
    }

    /** A group keeps its server whatever load there is, and only those groups move whose server is lost. */
    @Test
    void testGroups()
    {
        Multiset<String> groups = HashMultiset.create();
        for (int group = 0; group < 4000; group++) {
            ServerChoice choice = new ServerChoice(ANY, Optional.of("group " + group), "user");
            String before = chosen(choice, candidate("a", 1, FIT, 0), candidate("b", 1, FIT, 5), candidate("c", 2, FIT, 50));
            String without = chosen(choice, candidate("a", 1, FIT, 7), candidate("b", 1, UNFIT, 0), candidate("c", 2, FIT, 0));
            groups.add(before);
            assertThat(without).isNotEqualTo("b");
            if (!before.equals("b")) {
                assertThat(without).isEqualTo(before);
            }
        }
        assertThat(groups.count("a")).isCloseTo(1000, within(150));
        assertThat(groups.count("b")).isCloseTo(1000, within(150));
        assertThat(groups.count("c")).isCloseTo(2000, within(150));
    }

    @Test
    void testUserKeepsServerThatIsIdle()
    {
        List<String> chosen = IntStream.range(0, 100).mapToObj(_ -> chosen(choice(ANY), candidate("a", 1, FIT, 0), candidate("b", 1, FIT, 0))).distinct().toList();
        assertThat(chosen).hasSize(1);
    }

    private static ServerChoice choice(Duration mostLag)
    {
        return new ServerChoice(mostLag, Optional.empty(), "user");
    }

    private static String chosen(ServerChoice choice, Candidate... candidates)
    {
        return choice.of(List.of(candidates)).orElseThrow().replica().address().host();
    }

    private static Candidate candidate(String host, int weight, ServerState state, int queries)
    {
        return new Candidate(new Replica(new ServerAddress(host, 3306), weight), state, queries);
    }

    private static ServerState lags(long millis)
    {
        return new ServerState.Fit(Optional.of(new Duration(millis, MILLISECONDS)), false);
    }
}
