package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.mysqlpq.trino.types.TypeSamples;
import io.mysqlpq.trino.types.TypeSamples.TypeSample;
import io.trino.Session;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Writes rows by LOAD DATA and by INSERT, and compares what MySQL has then with what it has when asked by the driver. */
@TestInstance(PER_CLASS)
class TestLoads
{
    private static final String HARD_CHARACTERS = "a'\"\\`\t\n\r\0%;,()?N\u0008\u001aé😀 ";
    private static final String PLAIN_COLUMNS = """
            k INT PRIMARY KEY, a BIGINT, b DECIMAL(20, 4), c DOUBLE, d FLOAT, e VARCHAR(100), f CHAR(20), g LONGTEXT, h DATE, i DATETIME(6), j TIME(3), l TIMESTAMP(6) NULL,
            m TINYINT UNSIGNED, n VARCHAR(100) CHARACTER SET latin1, o TEXT CHARACTER SET utf16""";

    private static final String STRICT = "STRICT_TRANS_TABLES";
    private static final String OWN_BACKSLASHES = STRICT + ",NO_BACKSLASH_ESCAPES,ANSI_QUOTES";

    enum Way
    {
        LOAD_DATA(true, STRICT),
        INSERT(false, STRICT),
        LOAD_DATA_WITHOUT_ESCAPES(true, OWN_BACKSLASHES),
        INSERT_WITHOUT_ESCAPES(false, OWN_BACKSLASHES);

        private final boolean loading;
        private final String sqlMode;

        Way(boolean loading, String sqlMode)
        {
            this.loading = loading;
            this.sqlMode = sqlMode;
        }
    }

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("local-infile", "ON").start();
        mysql.execute("CREATE DATABASE test");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of());
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    @BeforeEach
    void clear()
    {
        mysql.execute("DROP DATABASE test", "CREATE DATABASE test", "SET GLOBAL local_infile = ON, sql_mode = '%s'".formatted(STRICT));
    }

    @ParameterizedTest
    @EnumSource
    void testValues(Way way)
            throws SQLException
    {
        mysql.execute("CREATE TABLE test.source (%s)".formatted(PLAIN_COLUMNS));
        Random random = Seed.random();
        try (Connection connection = mysql.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO test.source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (int row = 0; row < 1500; row++) {
                insert.setInt(1, row);
                insert.setObject(2, random.nextInt(5) == 0 ? null : random.nextLong());
                insert.setObject(3, random.nextInt(5) == 0 ? null : (random.nextLong() >> 12) + "." + random.nextInt(10_000));
                insert.setObject(4, random.nextInt(5) == 0 ? null : Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
                insert.setObject(5, random.nextInt(5) == 0 ? null : random.nextInt(1000) / 4.0);
                insert.setString(6, text(random, 30));
                insert.setString(7, text(random, 20));
                insert.setString(8, text(random, random.nextInt(100) == 0 ? 100_000 : 40));
                insert.setObject(9, random.nextInt(5) == 0 ? null : "%04d-%02d-%02d".formatted(1000 + random.nextInt(9000), 1 + random.nextInt(12), 1 + random.nextInt(28)));
                insert.setObject(10, random.nextInt(5) == 0 ? null : "%04d-%02d-%02d 12:34:%02d.%06d".formatted(1000 + random.nextInt(9000), 1 + random.nextInt(12), 1 + random.nextInt(28), random.nextInt(60), random.nextInt(1_000_000)));
                insert.setObject(11, random.nextInt(5) == 0 ? null : "%02d:00:%02d.%03d".formatted(random.nextInt(24), random.nextInt(60), random.nextInt(1000)));
                insert.setObject(12, "%04d-%02d-%02d 12:34:56.%06d".formatted(1971 + random.nextInt(60), 1 + random.nextInt(12), 1 + random.nextInt(28), random.nextInt(1_000_000)));
                insert.setObject(13, random.nextInt(5) == 0 ? null : random.nextInt(256));
                insert.setString(14, random.nextInt(5) == 0 ? null : "größer'\\\t\n".substring(random.nextInt(10)));
                insert.setString(15, text(random, 30));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        for (boolean direct : List.of(true, false)) {
            mysql.execute("CREATE TABLE test.copy LIKE test.source");
            long before = loadedRows();
            // Columns in another order than the table has them.
            write(way, direct, "INSERT INTO copy (o, n, m, l, j, i, h, g, f, e, d, c, b, a, k) SELECT o, n, m, l, j, i, h, g, f, e, d, c, b, a, k FROM source");
            assertLoaded(before, way.loading, 1500);
            assertSame("source", "copy", 1500);
            mysql.execute("DROP TABLE test.copy");
        }
    }

    /** How many rows LOAD DATA has put into tables. */
    private long loadedRows()
    {
        mysql.awaitStatementsRecorded();
        return Long.parseLong(mysql.values("SELECT sum_rows_affected FROM performance_schema.events_statements_summary_global_by_event_name WHERE event_name = 'statement/sql/load'").getFirst());
    }

    // Each writer inserts the first row of each batch.
    private void assertLoaded(long before, boolean loaded, long rows)
    {
        assertThat(loadedRows() - before).isBetween(loaded ? rows - 5 : 0, loaded ? rows - 1 : 0);
    }

    private static String text(Random random, int maximumLength)
    {
        if (random.nextInt(6) == 0) {
            return null;
        }
        int[] characters = HARD_CHARACTERS.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(maximumLength); length > 0; length--) {
            text.appendCodePoint(random.nextBoolean() ? 'x' : characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }

    private void assertSame(String source, String copy, int rows)
    {
        assertThat(mysql.values("SELECT COUNT(*) FROM test." + copy)).containsExactly(String.valueOf(rows));
        assertThat(checksum(copy)).isEqualTo(checksum(source));
    }

    private long checksum(String table)
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("CHECKSUM TABLE test." + table)) {
            rows.next();
            long checksum = rows.getLong("Checksum");
            // MySQL has NULL for a table that is not there, and 0 for an empty one.
            assertThat(checksum).as("checksum of %s", table).isPositive();
            return checksum;
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // Each row has one value, and NULL in all other columns.
    @Test
    void testAllTypes()
    {
        List<TypeSample> samples = TypeSamples.all().stream().filter(sample -> sample.trinoType().isPresent()).toList();
        List<String> types = samples.stream().map(TypeSample::mysqlType).distinct().toList();
        List<String> columns = IntStream.range(0, types.size()).mapToObj("c%s"::formatted).toList();
        String definition = IntStream.range(0, types.size()).mapToObj(i -> "%s %s NULL".formatted(columns.get(i), types.get(i))).collect(joining(", "));
        mysql.execute("CREATE TABLE test.source (k INT PRIMARY KEY, %s)".formatted(definition));
        for (int i = 0; i < samples.size(); i++) {
            mysql.execute("INSERT INTO test.source (k, c%s) VALUES (%s, %s)".formatted(types.indexOf(samples.get(i).mysqlType()), i, samples.get(i).mysqlLiteral()));
        }
        for (Way way : Way.values()) {
            mysql.execute("CREATE TABLE test.copy LIKE test.source");
            long before = loadedRows();
            write(way, true, copyOf(columns, column -> isPlain(types.get(columns.indexOf(column)))));
            assertLoaded(before, way.loading, samples.stream().filter(sample -> isPlain(sample.mysqlType())).count());
            write(way, true, copyOf(columns, column -> !isPlain(types.get(columns.indexOf(column)))));
            assertSame("source", "copy", samples.size());
            mysql.execute("DROP TABLE test.copy");
        }
    }

    // Rows with a NULL TIMESTAMP are inserted.
    private static boolean isPlain(String type)
    {
        return Stream.of("TIMESTAMP", "BIT", "YEAR", "ENUM", "SET", "BINARY", "VARBINARY", "JSON", "VECTOR", "POINT").noneMatch(type::startsWith) && !type.endsWith("BLOB");
    }

    // Rows that have a value in one of these columns.
    private static String copyOf(List<String> columns, Predicate<String> wanted)
    {
        List<String> copied = columns.stream().filter(wanted).toList();
        String names = String.join(", ", copied);
        return "INSERT INTO copy (k, %s) SELECT k, %s FROM source WHERE %s".formatted(names, names, copied.stream().map("%s IS NOT NULL"::formatted).collect(joining(" OR ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "k INT, v VARCHAR(100), PRIMARY KEY (k)",
            "k INT, v VARCHAR(100), UNIQUE KEY (v)",
            "k INT, v VARCHAR(100), CHECK (k <> 7)",
            "k INT, v VARCHAR(100), w INT NOT NULL",
            "k INT, v VARCHAR(100), w INT NOT NULL DEFAULT 5",
            "k INT, v VARCHAR(100), w INT AS (k + 1) STORED",
            "k INT, v VARCHAR(100), w INT AUTO_INCREMENT PRIMARY KEY",
            "k INT, v VARCHAR(100), FOREIGN KEY (k) REFERENCES test.keys_of_others (k)",
            "k INT, v VARCHAR(100) CHARACTER SET latin1",
            "k INT, v VARCHAR(100) CHARACTER SET ascii",
            "k INT, v VARCHAR(100)) PARTITION BY RANGE (k) (PARTITION p VALUES LESS THAN (100)"})
    void testWhatMysqlRefuses(String definition)
    {
        mysql.execute("CREATE TABLE test.keys_of_others (k INT PRIMARY KEY)", "INSERT INTO test.keys_of_others VALUES (1), (2)");
        for (boolean direct : List.of(true, false)) {
            for (String rows : List.of(
                    "(1, 'a'), (2, 'a')",
                    "(1, 'a'), (7, 'b'), (1, 'c')",
                    "(1, 'a'), (2, 'ü'), (100, '😀')",
                    "(NULL, 'a'), (2, NULL)")) {
                String table = "CREATE TABLE test.t (%s)".formatted(definition);
                mysql.execute(table);
                Optional<String> refusal = refusal("INSERT INTO test.t (k, v) VALUES " + rows);
                List<String> written = mysql.values("SELECT CONCAT_WS('-', k, v) FROM test.t ORDER BY k, v");
                for (Way way : List.of(Way.LOAD_DATA, Way.INSERT)) {
                    mysql.execute("DROP TABLE test.t", table);
                    assertThat(outcome(way, direct, "INSERT INTO t (k, v) VALUES " + rows)).as("%s, direct: %s", rows, direct).contains(refusal.orElse("written"));
                    assertThat(mysql.values("SELECT CONCAT_WS('-', k, v) FROM test.t ORDER BY k, v")).as("%s, direct: %s", rows, direct).isEqualTo(written);
                }
                mysql.execute("DROP TABLE test.t");
            }
        }
    }

    private Optional<String> refusal(String sql)
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return Optional.empty();
        }
        catch (SQLException e) {
            return Optional.of(e.getMessage());
        }
    }

    // The first batch stays, as with INSERT. What LOAD DATA took of the second is not there twice.
    @Test
    void testRefusedInLaterBatch()
    {
        for (Way way : Way.values()) {
            mysql.execute("CREATE TABLE test.t (k BIGINT PRIMARY KEY, v BIGINT)", "INSERT INTO test.t VALUES (150, 7)");
            assertThat(outcome(way, ImmutableMap.of("non_transactional_insert", "true", "write_batch_size", "100"), "INSERT INTO t SELECT n, n FROM UNNEST(sequence(1, 250)) AS s (n)")).contains("Duplicate entry '150'");
            assertThat(mysql.values("SELECT CONCAT(COUNT(*), '-', SUM(v)) FROM test.t")).as(way.toString()).containsExactly("101-" + (IntStream.rangeClosed(1, 100).sum() + 7));
            mysql.execute("DROP TABLE test.t");
        }
    }

    // Rows of a table without transactions cannot be taken back, and neither can what a trigger does there.
    @Test
    void testTablesThatAreNotLoaded()
    {
        mysql.execute(
                "CREATE TABLE test.log (k INT) ENGINE = MyISAM",
                "CREATE TABLE test.old (k INT PRIMARY KEY) ENGINE = MyISAM",
                "CREATE TABLE test.watched (k INT PRIMARY KEY)",
                "CREATE TRIGGER test.watch BEFORE INSERT ON test.watched FOR EACH ROW INSERT INTO test.log VALUES (NEW.k)");
        for (String table : List.of("old", "watched")) {
            long before = loadedRows();
            write(Way.LOAD_DATA, true, "INSERT INTO %s VALUES 1, 2, 3".formatted(table));
            assertThat(loadedRows()).isEqualTo(before);
            assertThat(mysql.values("SELECT k FROM test." + table)).containsExactly("1", "2", "3");
        }
        assertThat(mysql.values("SELECT k FROM test.log")).containsExactly("1", "2", "3");
    }

    @Test
    void testServerThatForbidsLoads()
    {
        mysql.execute("SET GLOBAL local_infile = OFF");
        long before = loadedRows();
        trino.execute("CREATE TABLE made AS SELECT * FROM UNNEST(sequence(1, 5000)) AS s (n)");
        assertThat(loadedRows()).isEqualTo(before);
        assertThat(mysql.values("SELECT CONCAT(COUNT(*), '-', SUM(n)) FROM test.made")).containsExactly("5000-" + IntStream.rangeClosed(1, 5000).sum());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void testCreateTableAs(String loading)
    {
        long before = loadedRows();
        Session session = trino.session(ImmutableMap.of("load_data_enabled", loading));
        trino.execute(session, "CREATE TABLE made WITH (primary_key = ARRAY['n']) AS SELECT n, CAST(n AS varchar) AS text, CAST(n AS decimal(10, 2)) AS number, DATE '2026-11-30' AS day FROM UNNEST(sequence(1, 5000)) AS s (n)");
        assertLoaded(before, Boolean.parseBoolean(loading), 5000);
        assertThat(mysql.values("SELECT CONCAT_WS('-', COUNT(*), SUM(n), SUM(text), SUM(number), MIN(day)) FROM test.made")).containsExactly("5000-12502500-12502500-12502500.00-2026-11-30");
        // MySQL estimates this number from some pages.
        assertThat((double) trino.execute("SHOW STATS FOR made").getMaterializedRows().getLast().getField(4)).isBetween(2500.0, 10_000.0);
    }

    @Test
    void testValuesThatLoadDataTakesAnotherWay()
            throws SQLException
    {
        assertWrittenAsByDriver("DOUBLE", "0e0, -0e0, -0e0, 1e0", 0.0, -0.0, -0.0, 1.0);
        assertWrittenAsByDriver("FLOAT", "REAL '0', REAL '-0', REAL '-0', REAL '1'", 0.0f, -0.0f, -0.0f, 1.0f);
        assertWrittenAsByDriver("TIMESTAMP NULL", "TIMESTAMP '2026-11-30 06:00:00 UTC', NULL, NULL, TIMESTAMP '2026-11-30 06:00:00 UTC'", "2026-11-30 06:00:00", null, null, "2026-11-30 06:00:00");
    }

    private void assertWrittenAsByDriver(String type, String values, Object... parameters)
            throws SQLException
    {
        mysql.execute("CREATE TABLE test.t (v %s)".formatted(type));
        try (Connection connection = mysql.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO test.t VALUES (?)")) {
            for (Object parameter : parameters) {
                insert.setObject(1, parameter);
                insert.execute();
            }
        }
        List<String> expected = mysql.values("SELECT COALESCE(CONCAT(v), 'NULL') FROM test.t ORDER BY 1");
        for (Way way : Way.values()) {
            mysql.execute("DROP TABLE test.t", "CREATE TABLE test.t (v %s)".formatted(type));
            write(way, true, "INSERT INTO t SELECT v FROM UNNEST(ARRAY[%s]) AS s (v)".formatted(values));
            assertThat(mysql.values("SELECT COALESCE(CONCAT(v), 'NULL') FROM test.t ORDER BY 1")).as("%s by %s", type, way).isEqualTo(expected);
        }
        mysql.execute("DROP TABLE test.t");
    }

    // Who may not see triggers learns of what cannot be taken back, and it is not done twice.
    @Test
    void testTriggerThatNobodySees()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE test.log (k INT) ENGINE = MyISAM",
                "CREATE TABLE test.watched (k INT, v VARCHAR(10), UNIQUE KEY (v))",
                "CREATE TRIGGER test.watch BEFORE INSERT ON test.watched FOR EACH ROW INSERT INTO test.log VALUES (NEW.k)",
                "CREATE USER IF NOT EXISTS blind IDENTIFIED BY 'blind'",
                "GRANT SELECT, INSERT ON test.* TO blind");
        try (TestingTrino blind = TestingTrino.oneNode(mysql, "blind", ImmutableMap.of("connection-password", "blind", "insert.non-transactional-insert.enabled", "true"))) {
            blind.execute("INSERT INTO watched VALUES (1, 'a'), (2, 'b')");
            assertThatThrownBy(() -> blind.execute("INSERT INTO watched VALUES (3, 'c'), (4, 'd'), (5, 'c')")).hasMessageContaining("could not all be taken back");
        }
        assertThat(mysql.values("SELECT k FROM test.watched ORDER BY k")).containsExactly("1", "2");
        assertThat(mysql.values("SELECT k FROM test.log ORDER BY k")).doesNotHaveDuplicates();
    }

    // More than is kept before it is sent, in rows that are larger than a statement of several rows.
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void testLargeRows(String loading)
    {
        mysql.execute(
                "CREATE TABLE test.source (k INT PRIMARY KEY, v LONGTEXT, w LONGBLOB)",
                "INSERT INTO test.source WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100) SELECT n, REPEAT(CHAR(64 + n % 20), 200000 + n), IF(n % 2, UNHEX(REPEAT('00FF', 5000)), NULL) FROM s",
                "CREATE TABLE test.copy LIKE test.source",
                "CREATE TABLE test.text_source SELECT k, v FROM test.source",
                "CREATE TABLE test.text_copy LIKE test.text_source");
        Session session = trino.session(ImmutableMap.of("load_data_enabled", loading, "non_transactional_insert", "true"));
        trino.execute(session, "INSERT INTO copy SELECT * FROM source");
        assertSame("source", "copy", 100);
        trino.execute(session, "INSERT INTO text_copy SELECT * FROM text_source");
        assertSame("text_source", "text_copy", 100);
    }

    // MySQL, or who speaks for it, must not get at files of Trino's machine.
    @Test
    void testServerGetsNoFile()
            throws IOException
    {
        Path secret = Files.writeString(Files.createTempFile("secret", ".txt"), "secret");
        mysql.execute("CREATE TABLE test.stolen (line TEXT)");
        assertThatThrownBy(() -> trino.execute("CALL mysql_pq.system.execute(query => 'LOAD DATA LOCAL INFILE ''%s'' INTO TABLE test.stolen')".formatted(secret))).hasMessageContaining("allowLoadLocalInfileInPath");
        assertThat(mysql.values("SELECT line FROM test.stolen")).isEmpty();
        Files.delete(secret);
    }

    private String outcome(Way way, boolean direct, String sql)
    {
        return outcome(way, ImmutableMap.of("non_transactional_insert", String.valueOf(direct)), sql);
    }

    private String outcome(Way way, ImmutableMap<String, String> properties, String sql)
    {
        try {
            write(way, properties, sql);
            return "written ";
        }
        catch (QueryFailedException e) {
            // Trino itself refuses NULL, in its own words.
            return e.getMessage().replaceAll("tmp_trino_\\w+", "temporary").replaceAll("NULL value not allowed for NOT NULL column: (\\w+)", "Column '$1' cannot be null") + " ";
        }
    }

    private void write(Way way, boolean direct, String sql)
    {
        write(way, ImmutableMap.of("non_transactional_insert", String.valueOf(direct)), sql);
    }

    private void write(Way way, ImmutableMap<String, String> properties, String sql)
    {
        mysql.execute("SET GLOBAL sql_mode = '%s'".formatted(way.sqlMode));
        trino.execute(trino.session(ImmutableMap.<String, String>builder().putAll(properties).put("load_data_enabled", String.valueOf(way.loading)).buildOrThrow()), sql);
    }
}
