package io.mysqlpq.trino;

import io.mysqlpq.testing.MysqlServer;

import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/** Makes the tables of tests that ask the same several times. */
final class RepeatedReads
{
    private RepeatedReads()
    {}

    /** @param rows of each table, a multiple of 1,000; their keys count up from 0 */
    static void createTables(MysqlServer mysql, int rows)
    {
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (k INT PRIMARY KEY, a INT NOT NULL, d DECIMAL(12, 2) NOT NULL, x DOUBLE NOT NULL, s VARCHAR(40) COLLATE utf8mb4_bin NOT NULL, day DATE NULL)",
                "CREATE TABLE test.u (k INT PRIMARY KEY, b INT NOT NULL)");
        for (int first = 0; first < rows; first += 1_000) {
            mysql.execute(
                    "INSERT INTO test.t VALUES " + IntStream.range(first, first + 1_000).mapToObj("(%1$d, %1$d MOD 7, %1$d / 100, %1$d / 4, CONCAT('s', %1$d), NULL)"::formatted).collect(joining(", ")),
                    "INSERT INTO test.u VALUES " + IntStream.range(first, first + 1_000).mapToObj("(%1$d, %1$d MOD 3)"::formatted).collect(joining(", ")));
        }
        mysql.execute("ANALYZE TABLE test.t, test.u");
    }
}
