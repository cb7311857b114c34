package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static java.util.Locale.ENGLISH;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Changes rows that Trino has to find, and compares with the same statement in MySQL. */
@TestInstance(PER_CLASS)
class TestRowChanges
{
    private static final int ROWS = 3000;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").binaryLog().start();
        // By this level rows that a statement looked at and did not return are free for others at once.
        mysql.execute("CREATE DATABASE test", "SET GLOBAL transaction_isolation = 'READ-COMMITTED'");
        TimeZoneTables.load(mysql, ZoneId.systemDefault());
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "500"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    // Type of the key's second column | the value of row n
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "BIGINT UNSIGNED| 18446744073709551615 - n",
            "VARCHAR(30) COLLATE utf8mb4_0900_ai_ci| CONCAT('Zeile ', n)",
            "VARCHAR(30) CHARACTER SET latin1 COLLATE latin1_german1_ci| CONCAT('Ä', n)",
            "VARBINARY(40)| UNHEX(SHA2(n, 256))",
            "CHAR(10)| CONCAT('c', n)",
            "ENUM('a', 'b')| IF(n % 2, 'a', 'b')",
            "DECIMAL(30, 10)| n / 7",
            "DOUBLE| SQRT(n)",
            "DATE| DATE '2000-01-01' + INTERVAL n DAY",
            "DATETIME(6)| TIMESTAMP '2000-01-01 00:00:00.000001' + INTERVAL n SECOND",
            "TIMESTAMP(3)| FROM_UNIXTIME(1636263000.123 + 2 * n)",
            "TIME(2)| SEC_TO_TIME(n % 86400)",
            "BIT(1)| n % 2"})
    void testChangesAreMysqls(String type, String value)
    {
        for (String mode : List.of("false", "true")) {
            Session session = trino.session(ImmutableMap.of("non_transactional_merge", mode));
            for (String table : List.of("theirs", "mine")) {
                mysql.execute(
                        "SET SESSION cte_max_recursion_depth = 1000000",
                        "DROP TABLE IF EXISTS test." + table,
                        "CREATE TABLE test.%s (a INT, k %s, v VARCHAR(20) COLLATE utf8mb4_bin, n INT, PRIMARY KEY (k, a))".formatted(table, type),
                        "INSERT INTO test.%s WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, %s, CONCAT('v', n), n FROM s".formatted(table, ROWS, value));
            }
            // 'V' is another value for Trino, and for MySQL under a binary collation.
            assertThat(trino.execute(session, "DELETE FROM mine WHERE (v LIKE 'v%7' OR v = 'V8') AND length(v) > 0").getUpdateCount()).hasValue(ROWS / 10);
            mysql.execute("DELETE FROM test.theirs WHERE v LIKE 'v%7' OR v = 'V8'");
            assertThat(trino.execute(session, "UPDATE mine SET n = n + a, v = upper(v) WHERE n % 3 = 0").getUpdateCount()).hasValue(ROWS / 3 - ROWS / 30);
            mysql.execute("UPDATE test.theirs SET n = n + a, v = UPPER(v) WHERE n % 3 = 0");
            assertThat(differences()).isZero();
        }
    }

    private long differences()
    {
        String mysqlSql = "SELECT COUNT(*) AS c FROM (SELECT * FROM test.mine EXCEPT SELECT * FROM test.theirs UNION ALL (SELECT * FROM test.theirs EXCEPT SELECT * FROM test.mine)) d";
        assertThat(trino.execute("SELECT c FROM TABLE(system.query('SELECT COUNT(*) AS c FROM test.mine'))").getOnlyValue()).isEqualTo((long) ROWS - ROWS / 10);
        return (long) trino.execute("SELECT c FROM TABLE(system.query('%s'))".formatted(mysqlSql)).getOnlyValue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testMergeOfAllKinds(boolean nonTransactional)
    {
        createNumbers();
        Session session = trino.session(ImmutableMap.of("non_transactional_merge", String.valueOf(nonTransactional)));
        trino.execute(session, """
                MERGE INTO numbers t USING (SELECT x FROM UNNEST(sequence(2991, 3010)) AS s (x)) s ON t.k = s.x
                WHEN MATCHED AND s.x % 2 = 0 THEN DELETE
                WHEN MATCHED THEN UPDATE SET v = 'changed', k = t.k + 100000
                WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.x, 'new')""");
        assertThat(trino.execute("SELECT count(*), count_if(v = 'changed' AND k > 100000), count_if(v = 'new' AND k > 3000), count_if(k BETWEEN 2991 AND 3000) FROM numbers").getMaterializedRows().getFirst().getFields())
                .containsExactly(ROWS + 5L, 5L, 10L, 0L);
        assertNoTemporaryTables();
    }

    // A key that a row gives up in the same statement may be taken.
    @Test
    void testInsertTakesDeletedKey()
    {
        mysql.execute("DROP TABLE IF EXISTS test.taken", "CREATE TABLE test.taken (k INT PRIMARY KEY, u INT UNIQUE)", "INSERT INTO test.taken VALUES (1, 10), (2, 20)");
        trino.execute("MERGE INTO taken t USING (VALUES (1, 0), (3, 10)) AS s (k, u) ON t.k = s.k WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.u)");
        assertThat(trino.execute("SELECT k * 100 + u FROM taken").getOnlyColumnAsSet()).containsExactlyInAnyOrder(220, 310);
    }

    @Test
    void testMergeThatFailsChangesNothing()
    {
        createNumbers();
        mysql.execute("CREATE TRIGGER test.refuse BEFORE UPDATE ON test.numbers FOR EACH ROW IF NEW.k = 2999 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one'; END IF");
        assertThatThrownBy(() -> trino.execute("MERGE INTO numbers t USING (SELECT x FROM UNNEST(sequence(1, 3000)) AS s (x)) s ON t.k = s.x WHEN MATCHED AND s.x < 10 THEN DELETE WHEN MATCHED THEN UPDATE SET v = 'x'"))
                .hasMessageContaining("not this one");
        assertThat(trino.execute("SELECT count(*), count_if(v = 'x') FROM numbers").getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, 0L);
        assertNoTemporaryTables();
    }

    // What Trino writes never touches a generated column, whichever key it stands in.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "g INT AS (a + 1) STORED, PRIMARY KEY (a)",
            "g INT AS (a + 1) VIRTUAL, PRIMARY KEY (a)",
            "g INT AS (a + 1) STORED NOT NULL, PRIMARY KEY (g)",
            "g INT AS (a + 1) VIRTUAL NOT NULL, PRIMARY KEY (a), UNIQUE KEY (g)",
            "g INT AS (a + 1) STORED, PRIMARY KEY (v, a), KEY (g, v)",
            "g INT AS (a + 1) VIRTUAL INVISIBLE, PRIMARY KEY (a)"})
    void testGeneratedColumns(String definition)
    {
        for (String mode : List.of("false", "true")) {
            Session session = trino.session(ImmutableMap.of("non_transactional_merge", mode, "non_transactional_insert", mode));
            for (String table : List.of("theirs", "mine")) {
                mysql.execute(
                        "DROP TABLE IF EXISTS test." + table,
                        "CREATE TABLE test.%s (a INT NOT NULL, v VARCHAR(20) NOT NULL DEFAULT 'none', %s)".formatted(table, definition));
            }
            mysql.execute("SET SESSION cte_max_recursion_depth = 1000000", "INSERT INTO test.theirs (a, v) WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, CONCAT('v', n) FROM s".formatted(ROWS));
            trino.execute(session, "INSERT INTO mine (v, a) SELECT 'v' || CAST(x AS VARCHAR), x FROM UNNEST(sequence(1, %d)) AS s (x)".formatted(ROWS));
            trino.execute(session, "UPDATE mine SET v = upper(v) WHERE g % 3 = 0");
            mysql.execute("UPDATE test.theirs SET v = UPPER(v) WHERE g % 3 = 0");
            trino.execute(session, "UPDATE mine SET a = a + 10000 WHERE a % 5 = 0");
            mysql.execute("UPDATE test.theirs SET a = a + 10000 WHERE a % 5 = 0");
            trino.execute(session, "DELETE FROM mine WHERE reverse(v) LIKE '7%'");
            mysql.execute("DELETE FROM test.theirs WHERE v LIKE '%7'");
            trino.execute(session, """
                    MERGE INTO mine t USING (SELECT x FROM UNNEST(sequence(11, 3010)) AS s (x)) s ON t.a = s.x
                    WHEN MATCHED AND s.x % 4 = 0 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET v = 'merged'
                    WHEN NOT MATCHED AND s.x > 3000 THEN INSERT (a, v) VALUES (s.x, 'new')""");
            mysql.execute(
                    "DELETE FROM test.theirs WHERE a BETWEEN 11 AND 3010 AND a % 4 = 0",
                    "UPDATE test.theirs SET v = 'merged' WHERE a BETWEEN 11 AND 3010",
                    "INSERT INTO test.theirs (a, v) WITH RECURSIVE s (n) AS (SELECT 3001 UNION ALL SELECT n + 1 FROM s WHERE n < 3010) SELECT n, 'new' FROM s");
            assertThat(mysql.values("SELECT COUNT(*) FROM test.theirs")).isEqualTo(mysql.values("SELECT COUNT(*) FROM test.mine"));
            assertThat(mysql.values("SELECT a FROM (SELECT a, g, v FROM test.theirs EXCEPT SELECT a, g, v FROM test.mine) d")).isEmpty();
            assertNoTemporaryTables();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testGeneratedColumnsTakeNoValues(boolean nonTransactional)
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.computed",
                "CREATE TABLE test.computed (a INT PRIMARY KEY, g INT AS (a + 1) STORED, h INT AS (a + 2) VIRTUAL)",
                "INSERT INTO test.computed (a) VALUES (1), (2)");
        Session session = trino.session(ImmutableMap.of("non_transactional_merge", String.valueOf(nonTransactional), "non_transactional_insert", String.valueOf(nonTransactional)));
        for (String sql : List.of(
                "INSERT INTO computed VALUES (3, 4, 5)",
                "INSERT INTO computed (a, g) VALUES (3, 4)",
                "UPDATE computed SET g = a + 7",
                "UPDATE computed SET g = 7",
                "MERGE INTO computed t USING (VALUES 3) s (x) ON t.a = s.x WHEN NOT MATCHED THEN INSERT (a, g) VALUES (s.x, 4)",
                "MERGE INTO computed t USING (VALUES 2) s (x) ON t.a = s.x WHEN MATCHED THEN UPDATE SET g = 9")) {
            assertThatThrownBy(() -> trino.execute(session, sql)).as(sql)
                    .hasMessageContaining("Column g of table test.computed")
                    .hasMessageContaining("MySQL computes");
        }
        assertThat(mysql.values("SELECT CONCAT_WS('-', a, g, h) FROM test.computed ORDER BY a")).containsExactly("1-2-3", "2-3-4");
        assertNoTemporaryTables();
    }

    // Each update either counts, or fails and says of which row.
    @Test
    void testUpdatesAtOnceAreNotLost()
    {
        mysql.execute("DROP TABLE IF EXISTS test.stock", "CREATE TABLE test.stock (id INT PRIMARY KEY, qty INT)", "INSERT INTO test.stock VALUES (7, 1000), (8, 1000)");
        List<CompletableFuture<Boolean>> updates = IntStream.range(0, 20)
                .mapToObj(_ -> Background.supply(() -> {
                    try {
                        trino.execute("UPDATE stock SET qty = qty - 1 WHERE id = 7");
                        return true;
                    }
                    catch (RuntimeException e) {
                        assertThat(e).hasMessageMatching("(?s).*(The row id = 7 of table test\\.stock was changed .*|Deadlock found).*");
                        return false;
                    }
                }))
                .toList();
        long done = updates.stream().filter(CompletableFuture::join).count();
        assertThat(done).isPositive();
        assertThat(mysql.values("SELECT qty FROM test.stock ORDER BY id")).containsExactly(String.valueOf(1000 - done), "1000");
        assertNoTemporaryTables();
    }

    // Whatever the type of the value that another session changes between the reading and the change, and never where nobody changed anything.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "BIGINT UNSIGNED| 18446744073709551615| 3",
            "DECIMAL(38, 10)| 1.5| 1.5000000001",
            "DOUBLE| 0.1| 0.30000000000000004",
            "FLOAT| 1.0000001| 1.5",
            "BIT(1)| b'1'| b'0'",
            "VARCHAR(30)| 'a'| 'A'",
            "VARCHAR(30)| 'a'| 'a '",
            "CHAR(5) CHARACTER SET latin1| 'ä'| 'a'",
            "TEXT CHARACTER SET utf16| REPEAT('𝄞', 9000)| CONCAT(REPEAT('𝄞', 8999), 'x')",
            "VARCHAR(30) CHARACTER SET cp932| UNHEX('81CA')| 'b'",
            "ENUM('a', 'b')| 'b'| 'a'",
            "SET('a', 'b')| 'a,b'| 'b'",
            "VARBINARY(300)| UNHEX('00FF00')| UNHEX('00FF')",
            "BINARY(5)| 'a'| 'b'",
            "MEDIUMBLOB| RANDOM_BYTES(1000)| ''",
            "DATE| '2026-11-25'| '2026-11-26'",
            "DATETIME(6)| '2026-11-25 01:02:03.000001'| '2026-11-25 01:02:03.000002'",
            "TIMESTAMP(3) NULL| FROM_UNIXTIME(1636263000.123)| FROM_UNIXTIME(1636266600.123)",
            "TIME(2)| '23:59:59.99'| '23:59:59.98'",
            "JSON| '{\"b\": [1.10, 18446744073709551616, \"ü\"], \"a\": null}'| '{\"b\": [1.1, 1, \"ü\"], \"a\": null}'",
            "INT| NULL| 1",
            "VARCHAR(10)| NULL| ''",
            "INT| 1| NULL"})
    void testChangedValues(String type, String value, String changed)
            throws Exception
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.seen",
                "CREATE TABLE test.seen (id INT PRIMARY KEY, v %s, n INT)".formatted(type),
                "INSERT INTO test.seen SELECT 1, v, 0 FROM (SELECT %s AS v) s UNION ALL SELECT 2, %1$s, 0".formatted(value));
        for (String sql : List.of("UPDATE seen SET n = n + id", "DELETE FROM seen WHERE length(CAST(id AS VARCHAR)) = 1 AND (v IS NULL OR id + 1 > 0)")) {
            // MySQL holds the rows until the change of one of them is done.
            try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("UPDATE test.seen SET v = %s WHERE id = 2".formatted(changed));
                CompletableFuture<Void> change = Background.run(() -> trino.execute(sql));
                Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
                other.commit();
                assertThatThrownBy(change::join).as(sql).hasMessageContaining("The row id = 2 of table test.seen was changed or deleted by another session");
            }
            assertThat(mysql.values("SELECT SUM(n) + COUNT(*) FROM test.seen")).containsExactly("2");
            mysql.execute("UPDATE test.seen SET v = %s".formatted(value));
        }
        assertThat(trino.execute("UPDATE seen SET n = n + id").getUpdateCount()).hasValue(2);
        assertThat(trino.execute("DELETE FROM seen WHERE n % 3 > 0").getUpdateCount()).hasValue(2);
        assertThat(mysql.values("SELECT id FROM test.seen")).isEmpty();
        assertNoTemporaryTables();
    }

    // A temporary table holds new values of all columns, and what is kept of the old ones.
    @Test
    void testManyTextColumns()
    {
        List<String> types = List.of("VARCHAR(5)", "CHAR(5)", "VARBINARY(20)");
        for (String table : List.of("theirs", "mine")) {
            mysql.execute(
                    "DROP TABLE IF EXISTS test." + table,
                    "CREATE TABLE test.%s (id INT PRIMARY KEY, n INT, %s)".formatted(table, each(300, i -> "c%d %s".formatted(i, types.get(i % 3)))),
                    "INSERT INTO test.%s (id, n, c0, c1, c2, c297, c298, c299) VALUES (1, 1, 'a', 'b', 'c', 'd', 'e', 'f'), (2, 1, 'a', 'b', 'c', 'd', 'e', 'f'), (3, 1, NULL, '', '', 'x', NULL, NULL)".formatted(table));
        }
        String inserted = each(300, i -> i % 3 == 2 ? "X'00ff'" : "'n'");
        trino.execute("""
                MERGE INTO mine t USING (VALUES 2, 3, 4) s (id) ON t.id = s.id
                WHEN MATCHED AND s.id = 3 THEN DELETE
                WHEN MATCHED THEN UPDATE SET n = t.n + 1, %s
                WHEN NOT MATCHED THEN INSERT VALUES (s.id, 1, %s)""".formatted(each(300, i -> "c%d = t.c%d".formatted(i, (i + 3) % 300)), inserted));
        mysql.execute(
                "DELETE FROM test.theirs WHERE id = 3",
                "UPDATE test.theirs t JOIN test.mine o ON o.id = 1 SET t.n = 2, %s WHERE t.id = 2".formatted(each(300, i -> "t.c%d = o.c%d".formatted(i, (i + 3) % 300))),
                "INSERT INTO test.theirs VALUES (4, 1, %s)".formatted(inserted));
        assertThat(mysql.values("SELECT id FROM test.mine ORDER BY id")).containsExactly("1", "2", "4");
        assertThat(mysql.values("SELECT id FROM (SELECT * FROM test.theirs EXCEPT SELECT * FROM test.mine) d")).isEmpty();
        assertNoTemporaryTables();
    }

    private static String each(int columns, IntFunction<String> text)
    {
        return IntStream.range(0, columns).mapToObj(text).collect(joining(", "));
    }

    // Columns that do not fit twice into a row are refused before anything is written, and by the way out they are written.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "600| INT| Too many columns",
            "300| DECIMAL(38, 2)| Row size too large"})
    void testMoreThanATemporaryTableTakes(int columns, String type, String reason)
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.wide",
                "CREATE TABLE test.wide (id INT PRIMARY KEY, %s)".formatted(each(columns, i -> "c%d %s".formatted(i, type))),
                "INSERT INTO test.wide (id, c0) VALUES (1, 5)");
        String sql = "UPDATE wide SET " + each(columns, i -> "c%1$d = coalesce(c%1$d, 0) + id".formatted(i));
        assertThatThrownBy(() -> trino.execute(sql))
                .hasMessageContaining("table test.wide")
                .hasMessageContaining(reason)
                .hasMessageContaining("1017 columns")
                .hasMessageContaining("non_transactional_merge");
        assertThat(mysql.values("SELECT CAST(c0 AS SIGNED) FROM test.wide WHERE c1 IS NULL")).containsExactly("5");
        assertNoTemporaryTables();
        trino.execute("UPDATE wide SET c0 = c0 + 1");
        assertThat(mysql.values("SELECT CAST(c0 AS SIGNED) FROM test.wide")).containsExactly("6");
        trino.execute(trino.session(ImmutableMap.of("non_transactional_merge", "true")), sql);
        assertThat(mysql.values("SELECT CAST(c0 * 10 + c%d AS SIGNED) FROM test.wide".formatted(columns - 1))).containsExactly("71");
    }

    // Texts are kept together, and each of them counts.
    @ParameterizedTest
    @ValueSource(strings = {"a = NULL, b = 'x'", "b = ''", "a = 'X'", "a = NULL", "c = UNHEX('78'), a = ''", "c = NULL, b = UNHEX('00')"})
    void testChangeOfOneOfSeveralTexts(String changed)
            throws Exception
    {
        mysql.execute("DROP TABLE IF EXISTS test.seen", "CREATE TABLE test.seen (id INT PRIMARY KEY, n INT, a VARCHAR(10), b TEXT, c VARBINARY(10))", "INSERT INTO test.seen VALUES (1, 0, 'x', NULL, UNHEX('00')), (2, 0, 'x', NULL, UNHEX('00'))");
        try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE test.seen SET %s WHERE id = 2".formatted(changed));
            CompletableFuture<Void> change = Background.run(() -> trino.execute("UPDATE seen SET n = n + id"));
            Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
            other.commit();
            assertThatThrownBy(change::join).hasMessageContaining("The row id = 2 of table test.seen was changed or deleted by another session");
        }
        assertThat(trino.execute("UPDATE seen SET n = n + id").getUpdateCount()).hasValue(2);
        assertThat(mysql.values("SELECT n FROM test.seen ORDER BY id")).containsExactly("1", "2");
    }

    // Rows of a MERGE are staged, whatever non_transactional_insert says: none of them is there when it fails. In the session's own time zone both instants were one.
    @Test
    void testMergeIsOneTransaction()
            throws Exception
    {
        mysql.execute("DROP TABLE IF EXISTS test.seen", "CREATE TABLE test.seen (id INT PRIMARY KEY, v TIMESTAMP)", "INSERT INTO test.seen VALUES (1, FROM_UNIXTIME(1636263000)), (2, FROM_UNIXTIME(1636263000))");
        Session session = trino.session(ImmutableMap.of("non_transactional_insert", "true"));
        String sql = "MERGE INTO seen t USING (VALUES 2, 3) s (id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = t.v + INTERVAL '1' DAY WHEN NOT MATCHED THEN INSERT VALUES (s.id, TIMESTAMP '2026-01-01 00:00:00 UTC')";
        try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE test.seen SET v = FROM_UNIXTIME(1636263000 + 3600) WHERE id = 2");
            CompletableFuture<Void> change = Background.run(() -> trino.execute(session, sql));
            Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
            other.commit();
            assertThatThrownBy(change::join).hasMessageContaining("The row id = 2 of table test.seen was changed").hasMessageContaining("Nothing was written");
        }
        assertThat(mysql.values("SELECT CONCAT(id, ' ', UNIX_TIMESTAMP(v) - 1636263000) FROM test.seen")).containsExactlyInAnyOrder("1 0", "2 3600");
        trino.execute(session, sql);
        assertThat(mysql.values("SELECT id FROM test.seen WHERE v > FROM_UNIXTIME(1636263000 + 86400)")).containsExactlyInAnyOrder("2", "3");
        assertNoTemporaryTables();
    }

    // Who may not drop the temporary tables is told why a write failed, and of no failure where the rows are written.
    @Test
    void testTemporaryTablesThatStay()
            throws Exception
    {
        createNumbers();
        mysql.execute(
                "CREATE USER keeper",
                "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER ON test.* TO keeper",
                "CREATE TRIGGER test.refuse BEFORE UPDATE ON test.numbers FOR EACH ROW IF NEW.v = 'x' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one'; END IF");
        try (TestingTrino keeper = TestingTrino.oneNode(mysql, "keeper", ImmutableMap.of())) {
            String merge = "MERGE INTO numbers t USING (VALUES 1) s (x) ON t.k = s.x WHEN MATCHED THEN UPDATE SET v = '%s' || substr(t.v, 1, 0)";
            assertThatThrownBy(() -> keeper.execute(merge.formatted("x"))).hasMessageContaining("not this one");
            keeper.execute(merge.formatted("y"));
            keeper.execute("INSERT INTO numbers VALUES (-1, 'z')");
            assertThat(mysql.values("SELECT v FROM test.numbers WHERE k < 2 ORDER BY k")).containsExactly("z", "y");
        }
        finally {
            mysql.values("SELECT CONCAT('DROP TABLE test.', table_name) FROM information_schema.tables WHERE table_schema = 'test' AND table_name LIKE 'tmp_trino%'").forEach(sql -> mysql.execute(sql));
            mysql.execute("DROP USER keeper", "DROP TRIGGER test.refuse");
        }
    }

    // Columns that somebody may write and not read cannot be compared. The others are.
    @Test
    void testColumnsThatMayNotBeRead()
    {
        mysql.execute("CREATE TABLE test.secret (id INT PRIMARY KEY, v INT)", "CREATE USER writer", "GRANT SELECT (id), INSERT, UPDATE (v) ON test.secret TO writer");
        trino.runner().createCatalog("writer", "mysql_pq", ImmutableMap.of("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", "connection-user", "writer", "insert.non-transactional-insert.enabled", "true"));
        Session session = Session.builder(trino.runner().getDefaultSession()).setCatalog("writer").build();
        trino.execute(session, "INSERT INTO secret VALUES (1, 5), (2, 6)");
        assertThat(trino.execute(session, "UPDATE secret SET v = 7 WHERE id = 1").getUpdateCount()).hasValue(1);
        assertThat(mysql.values("SELECT CONCAT(id, v) FROM test.secret ORDER BY id")).containsExactly("17", "26");
    }

    // MySQL is asked what the table is while the change is planned, and not for each split.
    @Test
    void testDictionaryIsNotAskedForEachSplit()
    {
        createNumbers();
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
        String update = "UPDATE numbers SET v = concat(v, 'x') WHERE k % 2 = 0";
        trino.execute(update);
        Map<String, Long> ofFewSplits = questions(update, "1000", 3);
        assertThat(ofFewSplits).containsEntry("SHOW CREATE", 2L);
        assertThat(questions(update, "50", 40)).isEqualTo(ofFewSplits);
        assertThat(mysql.values("SELECT COUNT(*) FROM test.numbers WHERE v LIKE '%xxx'")).containsExactly(String.valueOf(ROWS / 2));
    }

    private Map<String, Long> questions(String update, String rowsPerSplit, int leastSplits)
    {
        mysql.execute("TRUNCATE performance_schema.events_statements_history_long");
        trino.execute(trino.session(ImmutableMap.of("target_rows_per_split", rowsPerSplit)), update);
        List<String> statements = mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text IS NOT NULL AND thread_id <> ps_current_thread_id()");
        assertThat(statements).filteredOn(sql -> sql.contains("mysql_pq_scan(")).hasSizeGreaterThanOrEqualTo(leastSplits);
        Pattern question = Pattern.compile("SHOW (?:CREATE|COLUMNS|GRANTS|FULL)|information_schema[.]\\w+", CASE_INSENSITIVE);
        return statements.stream().flatMap(sql -> question.matcher(sql).results().limit(1)).collect(groupingBy(found -> found.group().toUpperCase(ENGLISH), counting()));
    }

    // The filter is MySQL's, and Trino does not read its column.
    @Test
    void testChangedColumnOfAPushedFilter()
            throws Exception
    {
        mysql.execute("DROP TABLE IF EXISTS test.seen", "CREATE TABLE test.seen (id INT PRIMARY KEY, v INT, w INT, t VARCHAR(10))", "INSERT INTO test.seen VALUES (1, 1, 1, 'abc'), (2, 1, 1, 'abc')");
        for (String filter : List.of("v = 1", "t LIKE 'a%'")) {
            try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("UPDATE test.seen SET v = v + 1, t = concat('b', t) WHERE id = 2");
                CompletableFuture<Void> change = Background.run(() -> trino.execute("DELETE FROM seen WHERE id % 5 > 0 AND " + filter));
                Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
                other.commit();
                assertThatThrownBy(change::join).hasMessageContaining("The row id = 2 of table test.seen was changed");
            }
            mysql.execute("UPDATE test.seen SET v = 1, t = 'abc'");
        }
        assertThat(trino.execute("DELETE FROM seen WHERE id % 5 > 0 AND v = 1").getUpdateCount()).hasValue(2);
    }

    // A name may be part of another one.
    @Test
    void testChangedColumnThatNoFilterNames()
            throws Exception
    {
        mysql.execute("DROP TABLE IF EXISTS test.seen", "CREATE TABLE test.seen (id INT PRIMARY KEY, v INT, `x``v``y` VARCHAR(10))", "INSERT INTO test.seen VALUES (1, 1, 'abc'), (2, 1, 'abc')");
        try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE test.seen SET v = v + 1 WHERE id = 2");
            CompletableFuture<OptionalLong> change = Background.supply(() -> trino.execute("DELETE FROM seen WHERE id % 5 > 0 AND \"x`v`y\" LIKE 'a%'").getUpdateCount());
            Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
            other.commit();
            assertThat(change.join()).hasValue(2);
        }
    }

    // MySQL runs it as one statement.
    @Test
    void testPushedUpdatesAtOnce()
    {
        mysql.execute("DROP TABLE IF EXISTS test.flags", "CREATE TABLE test.flags (id INT PRIMARY KEY, n INT, f INT)", "INSERT INTO test.flags VALUES (7, 0, 0)",
                "CREATE TRIGGER test.count_updates BEFORE UPDATE ON test.flags FOR EACH ROW SET NEW.n = OLD.n + 1");
        List<CompletableFuture<Void>> updates = IntStream.range(0, 20).mapToObj(update -> Background.run(() -> trino.execute("UPDATE flags SET f = %d WHERE id = 7".formatted(update)))).toList();
        updates.forEach(CompletableFuture::join);
        assertThat(mysql.values("SELECT n FROM test.flags")).containsExactly("20");
    }

    private void createNumbers()
    {
        mysql.execute(
                "SET SESSION cte_max_recursion_depth = 1000000",
                "DROP TABLE IF EXISTS test.numbers",
                "CREATE TABLE test.numbers (k INT PRIMARY KEY, v VARCHAR(20))",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, CONCAT('v', n) FROM s".formatted(ROWS));
    }

    private void assertNoTemporaryTables()
    {
        assertThat(trino.execute("SHOW TABLES LIKE 'tmp_trino%'").getRowCount()).isZero();
    }

    @Test
    void testKeysThatDoNotFindTheirRow()
    {
        mysql.execute(
                "CREATE TABLE test.float_key (k FLOAT PRIMARY KEY, v INT)",
                "INSERT INTO test.float_key VALUES (1.0000001, 1)",
                "CREATE TABLE test.bits_key (k BIT(9) PRIMARY KEY, v INT)",
                "CREATE TABLE test.no_key (k INT, v INT)");
        assertThatThrownBy(() -> trino.execute("UPDATE float_key SET v = v + 1")).hasMessageContaining("column k of its primary key has the type FLOAT");
        assertThatThrownBy(() -> trino.execute("UPDATE bits_key SET v = v + 1")).hasMessageContaining("primary key (k) has a column whose type Trino does not support");
        assertThatThrownBy(() -> trino.execute("UPDATE no_key SET v = v + 1")).hasMessageContaining("without primary keys");
        assertThat(trino.execute("SELECT v FROM float_key").getOnlyValue()).isEqualTo(1);
        // What MySQL can do alone needs no key.
        trino.execute("UPDATE float_key SET v = 5");
        assertThat(trino.execute("SELECT v FROM float_key").getOnlyValue()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ON", "OFF"})
    void testGeneratedInvisibleKey(String ofAllTables)
    {
        mysql.execute("SET GLOBAL sql_generate_invisible_primary_key = " + ofAllTables);
        try {
            changeRowsOfGeneratedKey();
        }
        finally {
            mysql.execute("SET GLOBAL sql_generate_invisible_primary_key = OFF");
        }
    }

    private void changeRowsOfGeneratedKey()
    {
        mysql.execute(
                "SET SESSION sql_generate_invisible_primary_key = ON",
                "DROP TABLE IF EXISTS test.invisible_key",
                "CREATE TABLE test.invisible_key (v INT)",
                "INSERT INTO test.invisible_key VALUES (1), (1), (2)");
        trino.execute("UPDATE invisible_key SET v = v + 1");
        assertThat(trino.execute("SELECT sum(v), count(*) FROM invisible_key").getMaterializedRows().getFirst().getFields()).containsExactly(7L, 3L);
        trino.execute("INSERT INTO invisible_key VALUES 10, 11");
        trino.execute("MERGE INTO invisible_key t USING (VALUES 10, 20) s (v) ON t.v = s.v WHEN MATCHED THEN UPDATE SET v = t.v + 100 WHEN NOT MATCHED THEN INSERT VALUES (s.v)");
        trino.execute("DELETE FROM invisible_key WHERE v + 1 = 12");
        assertThat(trino.execute("SELECT v FROM invisible_key").getMaterializedRows().stream().map(row -> row.getField(0))).containsExactlyInAnyOrder(2, 2, 3, 110, 20);
    }

    // Only who names it sees it, as in MySQL. A visible key of the same name is the user's own.
    @Test
    void testGeneratedKeyStaysInvisible()
    {
        mysql.execute(
                "SET SESSION sql_generate_invisible_primary_key = ON",
                "CREATE TABLE test.hidden_key (v INT)",
                "INSERT INTO test.hidden_key VALUES (5), (6)",
                "SET SESSION sql_generate_invisible_primary_key = OFF",
                "CREATE TABLE test.visible_key (my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, v INT)");
        assertThat(trino.execute("SELECT * FROM hidden_key").getOnlyColumnAsSet()).containsExactlyInAnyOrder(5, 6);
        assertThat(trino.execute("SELECT my_row_id FROM hidden_key WHERE v = 6").getOnlyValue().toString()).isEqualTo("2");
        assertThat(trino.execute("DESCRIBE hidden_key").getRowCount()).isEqualTo(1);
        assertThat(trino.execute("DESCRIBE visible_key").getRowCount()).isEqualTo(2);
        assertThat(trino.execute("SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'test' AND table_name LIKE '%ible_key' OR table_name = 'hidden_key'").getOnlyColumnAsSet())
                .contains("visible_key.my_row_id", "visible_key.v", "hidden_key.v")
                .doesNotContain("hidden_key.my_row_id");
        assertThat((String) trino.execute("SHOW CREATE TABLE hidden_key").getOnlyValue()).doesNotContain("my_row_id");
        assertThat((String) trino.execute("SHOW CREATE TABLE visible_key").getOnlyValue()).contains("primary_key = ARRAY['my_row_id']");
    }

    @Test
    void testKeyIsNotTakenFromTheCache()
            throws Exception
    {
        mysql.execute("CREATE TABLE test.rekeyed (a INT NOT NULL, b INT NOT NULL, v INT, PRIMARY KEY (a))", "INSERT INTO test.rekeyed VALUES (1, 1, 0), (2, 2, 0)");
        try (TestingTrino cached = TestingTrino.oneNode(mysql, ImmutableMap.of("metadata.cache-ttl", "1h"))) {
            cached.execute("UPDATE rekeyed SET v = v + 1");
            mysql.execute("ALTER TABLE test.rekeyed DROP PRIMARY KEY, ADD PRIMARY KEY (b)", "UPDATE test.rekeyed SET a = 1");
            cached.execute("UPDATE rekeyed SET v = v + 1 WHERE b % 2 = 0");
        }
        assertThat(trino.execute("SELECT v * 10 + b FROM rekeyed").getOnlyColumnAsSet()).containsExactlyInAnyOrder(11, 22);
    }
}
