package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumns;
import io.mysqlpq.testing.random.NastyTable;
import io.mysqlpq.testing.random.RandomQuery;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares the answers to random queries, pushed down as far as they are, with those of Trino alone over a copy of the table. */
class TestRandomPushdown
{
    private static final NastyTable NASTY = new NastyTable("nasty", NastyColumns.COLUMNS);
    private static final int ROWS = 300;
    private static final int QUERIES = 80;

    @Test
    void testSameAnswersAsTrinoAlone()
            throws Exception
    {
        Random random = Seed.random();
        try (MysqlServer mysql = MysqlServer.builder().extension(true).start()) {
            mysql.execute("CREATE DATABASE test", NASTY.create("test"), "SET SESSION sql_mode = ''", NASTY.insert("test", ROWS, random));
            try (TestingTrino trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "50"))) {
                trino.addMemory();
                trino.execute("CREATE TABLE memory.default.nasty AS SELECT * FROM nasty");
                for (int query = 0; query < QUERIES; query++) {
                    assertSame(trino, random, RandomQuery.draw(List.of(NASTY), List.of(NASTY), random));
                }
            }
        }
    }

    private static void assertSame(TestingTrino trino, Random random, RandomQuery query)
    {
        Map<String, String> properties = ImmutableMap.of(
                "domain_compaction_threshold", random.nextBoolean() ? "2" : "256",
                "join_pushdown_strategy", "EAGER",
                "join_pushdown_enabled", "" + random.nextBoolean());
        assertThat(answer(trino, properties, query, "mysql_pq.test.nasty")).as("%s with %s", query.sql(), properties)
                .isEqualTo(answer(trino, properties, query, "memory.default.nasty"));
    }

    private static List<String> answer(TestingTrino trino, Map<String, String> properties, RandomQuery query, String table)
    {
        Stream<String> rows = trino.execute(trino.session(properties), query.sql().replace("FROM nasty", "FROM " + table)).getMaterializedRows().stream().map(Object::toString);
        return (query.ordered() ? rows : rows.sorted()).toList();
    }
}
