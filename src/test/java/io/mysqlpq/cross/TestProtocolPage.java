package io.mysqlpq.cross;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that docs/protocol.md tells other engines the truth: its statements run as they stand there, and its column batch is the one that MySQL sends.
 */
@TestInstance(PER_CLASS)
class TestProtocolPage
{
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "protocol.md");
    private static final Pattern BLOCK = Pattern.compile("^```\\w+ run-by=TestProtocolPage\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern DUMP_LINE = Pattern.compile("^ *(\\d+) {2}((?:[0-9a-f]{2} )+) +\\S.*$", Pattern.MULTILINE);
    private static final String SCAN = "SELECT mysql_pq_scan('shop', 'orders', 'PRIMARY', ?, ?) FROM JSON_TABLE('[0,0,0,0]', '$[*]' COLUMNS (batch FOR ORDINALITY)) batches";

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).start();
    private List<String> donor;
    private List<String> reader;
    private String options;
    private String dump;

    @BeforeAll
    void start()
            throws IOException
    {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGE)).results().map(block -> block.group(1)).toList();
        assertThat(blocks).hasSize(5);
        donor = statements(blocks.get(0));
        reader = statements(blocks.get(1));
        mysql.execute(statements(blocks.get(2)).toArray(String[]::new));
        options = blocks.get(3).strip();
        dump = blocks.get(4);
    }

    @AfterAll
    void stop()
    {
        mysql.assertErrorLogClean();
    }

    @Test
    void testDonorAndReader()
            throws Exception
    {
        try (Connection lender = mysql.connect(); Connection borrower = mysql.connect()) {
            String token = token(run(lender, donor.subList(0, 3)).getLast());
            mysql.execute("UPDATE shop.orders SET city = 'later' WHERE id = 8");
            List<String> read = run(borrower, withToken(reader, token));
            mysql.execute("UPDATE shop.orders SET city = 'Zürich' WHERE id = 8");
            assertThat(read).contains("6|Köln", "7|null", "8|Zürich").noneMatch(row -> row.contains("later"));
            List<String> rest = run(lender, withToken(donor.subList(3, donor.size()), token));
            assertThat(new ObjectMapper().readTree(rest.getFirst()).required("rows").get(0).asInt()).isEqualTo(5);
        }
    }

    @Test
    void testColumnBatch()
            throws Exception
    {
        try (Connection session = mysql.connect(); PreparedStatement scan = session.prepareStatement(SCAN)) {
            scan.setString(1, token(run(session, donor.subList(0, 3)).getLast()));
            scan.setString(2, options);
            try (ResultSet batches = scan.executeQuery()) {
                assertThat(batches.next()).isTrue();
                assertThat(HexFormat.ofDelimiter(" ").formatHex(batches.getBytes(1))).isEqualTo(dumped());
                assertThat(batches.next()).isTrue();
                assertThat(batches.getBytes(1)).startsWith("MPQB".getBytes(UTF_8)).hasSizeGreaterThan(96).containsSequence("Zürich".getBytes(UTF_8));
                assertThat(batches.getBytes(1)[12]).isEqualTo((byte) 1);
                assertThat(batches.next()).isTrue();
                assertThat(batches.getBytes(1)).isNull();
            }
        }
    }

    // The bytes of all lines, each of which stands at the place that it says.
    private String dumped()
    {
        List<String> bytes = new ArrayList<>();
        DUMP_LINE.matcher(dump).results().forEach(line -> {
            assertThat(Integer.parseInt(line.group(1))).isEqualTo(bytes.size());
            bytes.addAll(List.of(line.group(2).strip().split(" ")));
        });
        return String.join(" ", bytes);
    }

    private static List<String> statements(String block)
    {
        return Arrays.stream(block.replaceAll("--.*", "").split(";")).map(String::strip).filter(sql -> !sql.isEmpty()).toList();
    }

    private static List<String> withToken(List<String> statements, String token)
    {
        return statements.stream().map(sql -> sql.replace("<token>", token)).toList();
    }

    private static String token(String reply)
            throws IOException
    {
        return new ObjectMapper().readTree(reply).required("token").textValue();
    }

    // All rows of all statements, with | between their values.
    private static List<String> run(Connection connection, List<String> statements)
            throws SQLException
    {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                if (statement.execute(sql)) {
                    addRows(rows, statement.getResultSet());
                }
            }
        }
        return rows;
    }

    private static void addRows(List<String> rows, ResultSet result)
            throws SQLException
    {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                values.add(result.getString(column));
            }
            rows.add(values.stream().map(String::valueOf).collect(joining("|")));
        }
    }
}
