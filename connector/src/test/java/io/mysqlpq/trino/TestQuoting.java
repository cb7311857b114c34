package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumns;
import io.mysqlpq.testing.random.RandomText;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Arrays.compareUnsigned;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads and writes tables whose names and values would be SQL of another meaning wherever they were not quoted right, in each way there is. */
@TestInstance(PER_CLASS)
class TestQuoting
{
    // Some characters end by 0x5C, a backslash, in GBK (運) or Shift JIS (表), and braces are the escapes of JDBC.
    private static final List<String> NAMES = List.of(
            "quote'd", "dou\"ble", "back`tick", "`", "``", "`quoted`", "back\\slash", "back\\slash_%", "per%cent_", "dot.ted", "/*comment*/", "*/", "-- dash", "#hash", "semi;colon",
            "表運＇", "?", "{fn now()}", ":name", "@@version", "a b", "blank", " blank", "\tblank", "x'41'", "select", "n".repeat(64), "表".repeat(50));

    private static final String SCHEMA = "s'\"`\\%_.;-- /*表運{fn}?";

    private static final List<String> TEXTS = List.of(
            "", " ", "'", "''", "\\", "\\'", "\\\\'", "\"", "`", "\0", "\0'", "\u001a", "\n", "\r\n", "%", "_", "\\%", "-- ", "/*", "*/", "#", ";", "'; DROP TABLE t; -- ", "' OR ''='",
            "表", "運'", "縗\\", "\u00bf'", "\u00bf\\'", "＇", "ʼ", "😀", "😀'", "𝄞\\", "\uE000", "\uFFFF", "{d '2020-01-01'}", "{fn now()}", "?", ":a", "$1", "0x41", "x'41'", "NULL", "null", "[\"a\"]", "\\u0027", "'".repeat(60), "\\".repeat(60));

    private static final String USER = "o'b\"r`\\表%";
    private static final String PASSWORD = "p'\"\\`%表 ;--";

    /** By batches of the extension, by packets, by rows of the driver, by ranges of plain SQL. */
    private static final List<Map<String, String>> WAYS = List.of(
            Map.of("snapshot_group", "g'\"`\\*/;--"),
            Map.of("native_scan_enabled", "false"),
            Map.of("native_scan_enabled", "false", "packet_decoding_enabled", "false", "aggregation_pushdown_enabled", "false"),
            Map.of("range_source", "SQL", "snapshot_mode", "NONE"));

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE USER %s IDENTIFIED BY '%s'".formatted(account(), PASSWORD.replace("\\", "\\\\").replace("'", "''")),
                "GRANT ALL ON *.* TO " + account());
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @AfterEach
    void stopTrino()
    {
        if (trino != null) {
            trino.close();
        }
        mysql.execute("SET GLOBAL sql_mode = DEFAULT");
    }

    private static String account()
    {
        return "'%s'@'%%'".formatted(USER.replace("\\", "\\\\").replace("'", "''"));
    }

    private void startTrino(String sqlMode, Map<String, String> properties)
            throws Exception
    {
        mysql.execute("SET GLOBAL sql_mode = '%s'".formatted(sqlMode));
        trino = TestingTrino.oneNode(mysql, USER, ImmutableMap.<String, String>builder()
                .put("connection-password", PASSWORD)
                .put("target-rows-per-split", "100")
                .putAll(properties)
                .buildOrThrow());
    }

    @Test
    void testNames()
            throws Exception
    {
        createSchema();
        // Names of files have 255 characters at most, and a letter beyond ASCII takes five of them.
        List<String> partitionNames = NAMES.stream().filter(name -> name.length() < 40).toList();
        String partitions = IntStream.range(0, partitionNames.size())
                .mapToObj(i -> "PARTITION %s VALUES LESS THAN (%s)".formatted(quoted(partitionNames.get(i)), i == partitionNames.size() - 1 ? "MAXVALUE" : String.valueOf(i)))
                .collect(joining(", "));
        for (String name : NAMES) {
            String table = quoted(SCHEMA) + "." + quoted(name);
            mysql.execute(
                    "CREATE TABLE %1$s (%2$s VARCHAR(130) COLLATE utf8mb4_0900_bin, n INT, PRIMARY KEY (%2$s, n), KEY %2$s (n))%3$s".formatted(
                            table, quoted(name), name.equals("select") ? " PARTITION BY RANGE (n) (%s)".formatted(partitions) : ""),
                    "INSERT INTO %s SELECT k, n FROM %s.t".formatted(table, quoted(SCHEMA)),
                    "ANALYZE TABLE " + table);
        }
        startTrino("STRICT_TRANS_TABLES", Map.of());
        assertThat(trino.execute("SHOW TABLES FROM " + identifier(SCHEMA)).getOnlyColumnAsSet()).containsAll(NAMES);
        for (int i = 0; i < NAMES.size(); i++) {
            String name = NAMES.get(i);
            Session session = trino.session(WAYS.get(i % WAYS.size()));
            List<String> rows = mysqlRows("SELECT %s, n FROM %s.%s".formatted(quoted(name), quoted(SCHEMA), quoted(name)));
            String table = "%s.%s".formatted(identifier(SCHEMA), identifier(name));
            var read = trino.executeWithPlan(session, "SELECT %s, n FROM %s".formatted(identifier(name), table));
            assertThat(rows(read.result())).as(name).isEqualTo(rows);
            assertThat(trino.count(read.queryId(), "splitsRead")).as(name).isGreaterThan(1);
            long quotes = rows.stream().filter(row -> row.contains("'")).count();
            assertThat(trino.execute(session, "SELECT count(*) FROM %s WHERE %s LIKE '%%''%%' AND n >= 0".formatted(table, identifier(name))).getOnlyValue()).as(name).isEqualTo(quotes);
            assertThat(trino.execute(session, "SELECT count(%1$s), max(%1$s) FROM %2$s a JOIN %2$s b USING (%1$s, n) WHERE n < 3".formatted(identifier(name), table)).getRowCount()).isEqualTo(1);
            trino.execute(session, "DELETE FROM %s WHERE %s = '''' OR n = 2".formatted(table, identifier(name)));
            // In a snapshot of its own: a group's is of before.
            assertThat(trino.execute("SELECT %s, n FROM %s".formatted(identifier(name), table)).getRowCount())
                    .isEqualTo((int) rows.stream().filter(row -> !row.startsWith("'|") && !row.endsWith("|2")).count());
        }
        // Names that Trino gives.
        for (String name : NAMES) {
            String created = name.substring(0, Math.min(name.length(), 40)) + "'\"`\\";
            trino.execute("CREATE TABLE %s.%s AS SELECT 'it''s' AS %s".formatted(identifier(SCHEMA), identifier(created), identifier(name)));
            assertThat(mysqlRows("SELECT %s FROM %s.%s".formatted(quoted(name), quoted(SCHEMA), quoted(created)))).containsExactly("it's");
            trino.execute("DROP TABLE %s.%s".formatted(identifier(SCHEMA), identifier(created)));
        }
    }

    /** 64 characters, and of names that are files as many quotes as a file's name has room for. */
    @ParameterizedTest
    @ValueSource(strings = {"'", "\"", "`", "\\'"})
    void testLongestNames(String quotes)
            throws Exception
    {
        String schema = (quotes + "s").repeat(64).substring(0, 40) + "s".repeat(24);
        String inFile = (quotes + "t").repeat(64).substring(0, 40) + "t".repeat(24);
        String column = quotes.repeat(64).substring(0, 63) + "c";
        String index = quotes.repeat(64).substring(0, 63) + "i";
        String table = quoted(schema) + "." + quoted(inFile);
        mysql.execute(
                "CREATE DATABASE " + quoted(schema),
                "CREATE TABLE %s (%s INT PRIMARY KEY, n INT NOT NULL, filler CHAR(100) DEFAULT 'x', KEY %s (n))".formatted(table, quoted(column), quoted(index)),
                "INSERT INTO %s (%s, n) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 1000) SELECT i, 1000 - i FROM s".formatted(table, quoted(column)),
                "CREATE TABLE %s.p (%s INT PRIMARY KEY) PARTITION BY RANGE (%2$s) (PARTITION %3$s VALUES LESS THAN (500), PARTITION q VALUES LESS THAN MAXVALUE)".formatted(quoted(schema), quoted(column), quoted(inFile)),
                "INSERT INTO %s.p SELECT %s FROM %s".formatted(quoted(schema), quoted(column), table),
                "ANALYZE TABLE %s, %s.p".formatted(table, quoted(schema)));
        startTrino("STRICT_TRANS_TABLES", Map.of());
        String read = "SELECT %s, n FROM %s.%s".formatted(identifier(column), identifier(schema), identifier(inFile));
        List<String> rows = mysqlRows("SELECT %s, n FROM %s".formatted(quoted(column), table));
        for (Map<String, String> way : WAYS) {
            var result = trino.executeWithPlan(trino.session(way), read);
            assertThat(rows(result.result())).as("%s", way).isEqualTo(rows);
            assertThat(trino.count(result.queryId(), "splitsRead")).as("%s", way).isGreaterThan(1);
            assertThat(trino.execute(trino.session(way), "SELECT sum(%1$s), count(*) FROM %2$s.p WHERE %1$s <> 3".formatted(identifier(column), identifier(schema))).getMaterializedRows().getFirst().getFields())
                    .containsExactly(1000L * 1001 / 2 - 3, 999L);
            assertThat(trino.execute(trino.session(way), "SELECT count(*) FROM (SELECT n FROM %s.%s WHERE n BETWEEN 100 AND 599)".formatted(identifier(schema), identifier(inFile))).getOnlyValue()).isEqualTo(500L);
        }
    }

    /** Each statement that changes a table, a column or a schema, with names that Trino gives. */
    @Test
    void testNamesInEveryStatement()
            throws Exception
    {
        createSchema();
        startTrino("STRICT_TRANS_TABLES", Map.of("merge.non-transactional-merge.enabled", "true"));
        for (String name : List.of("q'\"`\\x", "-- /* ` */ ; #", "{fn now()} ?", "表運'x")) {
            String made = identifier("made " + name);
            String renamed = identifier("renamed " + name);
            trino.execute("CREATE SCHEMA " + made);
            trino.execute("CREATE TABLE %s.%s (%s INTEGER NOT NULL, \"v\" VARCHAR(50)) WITH (primary_key = ARRAY[%s])".formatted(made, made, made, NastyColumns.text("made " + name)));
            assertThat(mysqlRows("SELECT table_name, index_name, column_name FROM information_schema.statistics WHERE table_schema = %s".formatted(RandomText.literal("made " + name))))
                    .containsExactly("made %1$s|PRIMARY|made %1$s".formatted(name));
            trino.execute("ALTER TABLE %1$s.%1$s RENAME TO %1$s.%2$s".formatted(made, renamed));
            String table = made + "." + renamed;
            trino.execute("ALTER TABLE %s ADD COLUMN %s VARCHAR(50)".formatted(table, identifier("added " + name)));
            trino.execute("ALTER TABLE %s RENAME COLUMN %s TO %s".formatted(table, identifier("added " + name), renamed));
            trino.execute("INSERT INTO %s VALUES (1, 'a', %s), (2, 'b', NULL), (3, 'c', NULL)".formatted(table, NastyColumns.text(name)));
            trino.execute("UPDATE %s SET %s = %s WHERE %s = 2".formatted(table, renamed, NastyColumns.text(name), made));
            trino.execute("MERGE INTO %1$s t USING (VALUES (3, %2$s), (4, %2$s)) u (k, v) ON t.%3$s = u.k WHEN MATCHED THEN UPDATE SET %4$s = u.v WHEN NOT MATCHED THEN INSERT VALUES (u.k, 'd', u.v)"
                    .formatted(table, NastyColumns.text(name), made, renamed));
            trino.execute("DELETE FROM %s WHERE %s = 1".formatted(table, made));
            String mysqlTable = "%s.%s".formatted(quoted("made " + name), quoted("renamed " + name));
            assertThat(mysqlRows("SELECT * FROM " + mysqlTable)).containsExactly("2|b|" + name, "3|c|" + name, "4|d|" + name);
            trino.execute("ALTER TABLE %s DROP COLUMN %s".formatted(table, renamed));
            assertThat(mysqlRows("SELECT * FROM " + mysqlTable)).containsExactly("2|b", "3|c", "4|d");
            trino.execute("TRUNCATE TABLE " + table);
            assertThat(mysqlRows("SELECT * FROM " + mysqlTable)).isEmpty();
            trino.execute("DROP TABLE " + table);
            trino.execute("DROP SCHEMA " + made);
        }
        assertThat(mysqlRows("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'made%'")).isEmpty();
    }

    /** No name of MySQL's has one, and what follows it must not be cut off. */
    @Test
    void testNulInNames()
            throws Exception
    {
        createSchema();
        startTrino("STRICT_TRANS_TABLES", Map.of());
        String table = identifier(SCHEMA) + ".t";
        assertThatThrownBy(() -> trino.execute("SELECT * FROM %s.\"t\0\"".formatted(identifier(SCHEMA)))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM \"%s\0\".t".formatted("information_schema"))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> trino.execute("SELECT \"n\0\" FROM " + table)).hasMessageContaining("cannot be resolved");
        assertThatThrownBy(() -> trino.execute("CREATE TABLE %s.\"w\0'; DROP\" (n INTEGER)".formatted(identifier(SCHEMA)))).isNotNull();
        assertThatThrownBy(() -> trino.execute("CREATE SCHEMA \"w\0\"")).isNotNull();
        assertThatThrownBy(() -> trino.execute("ALTER TABLE %s ADD COLUMN \"w\0\" INTEGER".formatted(table))).isNotNull();
        assertThat(mysqlRows("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'w%'")).isEmpty();
        assertThat(mysqlRows("SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name LIKE 'w%%' OR column_name = 'w'".formatted(RandomText.literal(SCHEMA)))).isEmpty();
        assertThat(mysqlRows("SELECT k FROM %s.t".formatted(quoted(SCHEMA)))).hasSize(8 * TEXTS.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"STRICT_TRANS_TABLES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT"})
    void testValues(String sqlMode)
            throws Exception
    {
        createSchema();
        startTrino(sqlMode, Map.of());
        List<String> rows = mysqlRows("SELECT k, n FROM %s.t".formatted(quoted(SCHEMA)));
        String table = identifier(SCHEMA) + ".t";
        for (Map<String, String> way : WAYS) {
            Session session = trino.session(way);
            var read = trino.executeWithPlan(session, "SELECT k, n FROM " + table);
            assertThat(rows(read.result())).as("%s", way).isEqualTo(rows);
            assertThat(trino.count(read.queryId(), "splitsRead")).as("%s", way).isGreaterThan(1);
            assertThat(rows(trino.execute(session, "SELECT k, count(*) FROM %s GROUP BY k".formatted(table)))).as("%s", way).hasSize(TEXTS.size()).allMatch(row -> row.endsWith("|8"));
            assertThat(rows(trino.execute(session, "SELECT a.k, a.n FROM %1$s a JOIN %1$s b ON a.k = b.k AND a.n = b.n".formatted(table)))).as("%s", way).isEqualTo(rows);
        }
        for (int i = 0; i < TEXTS.size(); i++) {
            String text = TEXTS.get(i);
            Session session = trino.session(WAYS.get(i % WAYS.size()));
            String literal = NastyColumns.text(text);
            assertFiltered(session, rows, ImmutableMap.of(
                    "k = " + literal, key -> key.equals(text),
                    "k >= %s AND n <> 9".formatted(literal), key -> compareUnsigned(key.getBytes(UTF_8), text.getBytes(UTF_8)) >= 0,
                    "starts_with(k, %s)".formatted(literal), key -> key.startsWith(text)));
        }
        for (Map<String, String> way : WAYS) {
            for (String column : List.of("g", "j")) {
                String read = "SELECT %s, n FROM %s".formatted(column, table);
                assertThat(rows(trino.execute(trino.session(way), read))).isEqualTo(mysqlRows("SELECT CONVERT(%s USING utf8mb4), n FROM %s.t".formatted(column, quoted(SCHEMA))));
                for (String text : List.of("運", "表", "\\", "'")) {
                    assertThat(trino.execute(trino.session(way), "SELECT count(*) FROM %s WHERE %s = %s".formatted(table, column, NastyColumns.text(text))).getOnlyValue())
                            .as("%s = %s %s", column, text, way)
                            .isEqualTo(mysqlRows("SELECT 1 FROM %s.t WHERE CONVERT(%s USING utf8mb4) COLLATE utf8mb4_0900_bin = %s".formatted(quoted(SCHEMA), column, RandomText.literal(text))).size() * 1L);
                }
            }
        }
        assertWritten(table);
    }

    private void assertWritten(String table)
            throws SQLException
    {
        String source = quoted(SCHEMA) + ".t";
        String copy = quoted(SCHEMA) + ".w";
        mysql.execute("CREATE TABLE %s LIKE %s".formatted(copy, source), "ALTER TABLE %s DROP PRIMARY KEY".formatted(copy));
        String written = identifier(SCHEMA) + ".w";
        trino.execute("INSERT INTO %s SELECT * FROM %s".formatted(written, table));
        assertThat(mysqlRows("SELECT k, n, HEX(g), HEX(j) FROM " + copy)).isEqualTo(mysqlRows("SELECT k, n, HEX(g), HEX(j) FROM " + source));
        trino.execute("DELETE FROM %s WHERE k IN (%s)".formatted(written, TEXTS.stream().filter(text -> !text.isEmpty()).map(NastyColumns::text).collect(joining(", "))));
        assertThat(mysqlRows("SELECT DISTINCT k FROM " + copy)).containsExactly("");
        trino.execute("UPDATE %s SET k = %s WHERE n < 4".formatted(written, NastyColumns.text("\\'; \u00bf'表\0")));
        assertThat(mysqlRows("SELECT DISTINCT k FROM %s WHERE n < 4".formatted(copy))).containsExactly("\\'; \u00bf'表\0");
        trino.execute("UPDATE %s SET g = %s, j = %s WHERE n = 1".formatted(written, NastyColumns.text("\\'運表"), NastyColumns.text("\\'運表")));
        assertThat(mysqlRows("SELECT CONVERT(g USING utf8mb4), CONVERT(j USING utf8mb4) FROM %s WHERE n = 1".formatted(copy))).containsExactly("\\'運表|\\'運表");
    }

    // One statement with a scan for each filter.
    private void assertFiltered(Session session, List<String> rows, Map<String, Predicate<String>> filters)
    {
        String table = identifier(SCHEMA) + ".t";
        List<String> scans = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        filters.forEach((filter, predicate) -> {
            int number = scans.size();
            scans.add("SELECT concat('%s|', k), n FROM %s WHERE %s".formatted(number, table, filter));
            rows.stream().filter(row -> predicate.test(row.substring(0, row.lastIndexOf('|')))).forEach(row -> expected.add(number + "|" + row));
        });
        assertThat(rows(trino.execute(session, String.join(" UNION ALL ", scans)))).as("%s", filters.keySet()).isEqualTo(expected);
    }

    // A user's name that ended the comment would be SQL: it is escaped there.
    @Test
    void testComments()
            throws Exception
    {
        createSchema();
        startTrino("STRICT_TRANS_TABLES", Map.of("query.comment-format", "$USER"));
        for (String user : List.of("eve */ DROP TABLE t; /*", "*/")) {
            Session session = Session.builder(trino.runner().getDefaultSession()).setIdentity(Identity.ofUser(user)).build();
            assertThat(trino.execute(session, "SELECT count(*) FROM %s.t WHERE n <> 7".formatted(identifier(SCHEMA))).getOnlyValue()).as(user).isEqualTo(7L * TEXTS.size());
        }
        assertThat(mysqlRows("SELECT k FROM %s.t".formatted(quoted(SCHEMA)))).hasSize(8 * TEXTS.size());
    }

    private void createSchema()
    {
        String values = IntStream.range(0, 8 * TEXTS.size())
                .mapToObj(i -> "(%1$s, %2$d, CONVERT(%1$s USING gbk), CONVERT(%1$s USING sjis))".formatted(RandomText.literal(TEXTS.get(i / 8)), i % 8))
                .collect(joining(", "));
        String schema = quoted(SCHEMA);
        mysql.execute(
                "DROP DATABASE IF EXISTS " + schema,
                "CREATE DATABASE " + schema,
                "SET SESSION sql_mode = ''",
                "CREATE TABLE %s.t (k VARCHAR(130) COLLATE utf8mb4_0900_bin, n INT, g VARCHAR(130) CHARACTER SET gbk, j VARCHAR(130) CHARACTER SET sjis, PRIMARY KEY (k, n), KEY g (g), KEY j (j))".formatted(schema),
                "INSERT INTO %s.t VALUES %s".formatted(schema, values),
                "ANALYZE TABLE %s.t".formatted(schema));
    }

    private List<String> mysqlRows(String sql)
            throws SQLException
    {
        List<String> rows = new ArrayList<>();
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            try (ResultSet result = statement.executeQuery(sql)) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(result.getString(column));
                    }
                    rows.add(String.join("|", row));
                }
            }
        }
        return rows.stream().sorted().toList();
    }

    private static List<String> rows(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(row -> row.getFields().stream().map(String::valueOf).collect(joining("|"))).sorted().toList();
    }

    // Trino's.
    private static String identifier(String name)
    {
        return "\"%s\"".formatted(name.replace("\"", "\"\""));
    }
}
