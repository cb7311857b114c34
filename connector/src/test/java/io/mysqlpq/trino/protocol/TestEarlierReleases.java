package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.KeyRange;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_FUNCTION;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds both sides to what connector and extension said to one another before the protocol had native scans: earlier.json has
 * statements as that connector sent them, and what the extension answered that was built from the commit before f4a7882.
 */
class TestEarlierReleases
{
    private final JsonNode recorded = read();

    @Test
    void testThisConnectorUnderstandsTheEarlierExtension()
            throws UnsupportedReplyException
    {
        for (JsonNode call : recorded.get("calls")) {
            assertThat(decode(call.get("sql").textValue(), call.get("reply").toString())).as(call.toString()).isNotNull();
        }
    }

    // Each member that the earlier reply has is there, and of the same kind: an earlier connector ignores others.
    @Test
    void testThisExtensionAnswersTheEarlierConnector()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start()) {
            mysql.execute(texts(recorded.get("setup")));
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                statement.execute("START TRANSACTION READ ONLY");
                statement.executeQuery("SELECT k FROM earlier.orders LIMIT 0").close();
                for (JsonNode call : recorded.get("calls")) {
                    String sql = call.get("sql").textValue();
                    JsonNode reply = ask(statement, sql);
                    assertLike(call.get("reply"), reply, sql);
                    assertThat(reply.get("protocol")).isEqualTo(call.get("reply").get("protocol"));
                    // Key columns, with their encodings, by which an earlier connector compares; and what a snapshot covers.
                    assertThat(reply.get("columns")).isEqualTo(call.get("reply").get("columns"));
                    assertThat(reply.get("covers")).isEqualTo(call.get("reply").get("covers"));
                    if (reply.has("token")) {
                        statement.execute("SET @token = '%s'".formatted(reply.get("token").textValue()));
                    }
                }
            }
            mysql.assertErrorLogClean();
        }
    }

    private static void assertLike(JsonNode earlier, JsonNode now, String where)
    {
        assertThat(now).as(where).isNotNull();
        assertThat(now.getNodeType()).as(where).isEqualTo(earlier.getNodeType());
        for (Map.Entry<String, JsonNode> member : earlier.properties()) {
            assertLike(member.getValue(), now.get(member.getKey()), where + " / " + member.getKey());
        }
        if (earlier.isArray() && !earlier.isEmpty()) {
            assertThat(now.isEmpty()).as(where).isFalse();
            now.forEach(item -> assertThat(item.getNodeType()).as(where).isEqualTo(earlier.get(0).getNodeType()));
        }
    }

    private static Object decode(String sql, String reply)
            throws UnsupportedReplyException
    {
        if (sql.contains("mysql_pq_version")) {
            return VersionReply.decode(reply);
        }
        if (sql.contains("mysql_pq_ranges")) {
            // 'schema', 'table', 'index', count, ...
            List<String> arguments = Splitter.on(", ").splitToList(sql.substring(sql.indexOf('(') + 1));
            RangesRequest request = new RangesRequest(unquoted(arguments.get(0)), unquoted(arguments.get(1)), unquoted(arguments.get(2)), Integer.parseInt(arguments.get(3)), KeyRange.all());
            Optional<String> partition = Optional.of("p1").filter(sql::contains);
            return RangesReply.decode(partition.map(name -> request.ofPartition(name, request.count())).orElse(request), reply);
        }
        if (sql.contains("mysql_pq_definition")) {
            return DefinitionReply.decode(reply);
        }
        if (sql.contains("mysql_pq_snapshot_export")) {
            return SnapshotReply.decode(reply);
        }
        if (sql.contains("mysql_pq_snapshot_covers")) {
            return CoversReply.decode(reply);
        }
        return SnapshotAgeReply.decode(SNAPSHOT_VERIFY_FUNCTION, reply);
    }

    private static String unquoted(String literal)
    {
        return literal.substring(1, literal.length() - 1);
    }

    private static JsonNode ask(Statement statement, String sql)
            throws Exception
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return new ObjectMapper().readTree(rows.getString(1));
        }
        catch (SQLException e) {
            throw new AssertionError("Refused: " + sql, e);
        }
    }

    private static String[] texts(JsonNode array)
    {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::textValue).collect(toImmutableList()).toArray(String[]::new);
    }

    private static JsonNode read()
    {
        try (InputStream recorded = TestEarlierReleases.class.getResourceAsStream("earlier.json")) {
            return new ObjectMapper().readTree(recorded);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
