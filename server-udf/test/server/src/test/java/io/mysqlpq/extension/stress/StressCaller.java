package io.mysqlpq.extension.stress;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls the extension's functions and checks each answer as far as it can be known.
 */
final class StressCaller
        extends StressWorker
{
    // No such table, index or function; lock wait; deadlock; killed; time limit; uninstalled while the statement was prepared.
    private static final Set<Integer> DOCUMENTED = Set.of(1146, 1176, 1046, 1122, 1205, 1213, 1317, 3024);
    private static final Set<String> OWN = Set.of("disabled", "unusable_table", "bad_argument");
    private static final ObjectMapper JSON = new ObjectMapper();

    enum Target
    {
        FUNCTIONS, RANGES_TABLE
    }

    private final Target target;
    private final boolean meetsDdl;

    // Calls that meet DDL mostly wait for its metadata locks; the others are there to be many.
    StressCaller(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped, Target target, boolean meetsDdl)
    {
        super(server, report, seed, stopped);
        this.target = target;
        this.meetsDdl = meetsDdl;
    }

    @Override
    void step()
            throws SQLException
    {
        try {
            if (random.nextInt(20) == 0) {
                call("/*+ MAX_EXECUTION_TIME(1) */ ");
            }
            else {
                call("");
            }
        }
        catch (SQLException e) {
            assertDocumented(e);
            report.error("call", e);
        }
        catch (JsonProcessingException e) {
            throw new AssertionError("Malformed reply", e);
        }
        finally {
            report.count("calls");
        }
    }

    private void call(String hint)
            throws SQLException, JsonProcessingException
    {
        if (target == Target.RANGES_TABLE && random.nextBoolean()) {
            rangesTable(hint);
            return;
        }
        switch (random.nextInt(meetsDdl ? 7 : 3)) {
            case 0 -> assertThat(reply("SELECT mysql_pq_version()").required("protocol").intValue()).isEqualTo(1);
            case 1 -> ascending(reply(ranges(hint, StressTables.CHURNED, index(StressTables.CHURNED), options())));
            case 2 -> readAhead(hint, meetsDdl ? changing() : StressTables.CHURNED);
            case 3 -> partition();
            case 4 -> sameDefinition();
            default -> changingRanges(hint);
        }
    }

    private void changingRanges(String hint)
            throws SQLException, JsonProcessingException
    {
        String table = changing();
        ascending(reply(ranges(hint, table, index(table), options())));
    }

    // What it asked for may arrive when the table is another, or gone.
    private void readAhead(String hint, String table)
            throws SQLException, JsonProcessingException
    {
        JsonNode reply = reply("SELECT %smysql_pq_read_ahead('s', '%s', '%s')".formatted(hint, table, index(table)));
        if (reply.required("pages_asked").longValue() > 0) {
            report.count("call read pages ahead");
        }
    }

    // As many rows as the highest range number says.
    private void rangesTable(String hint)
            throws SQLException
    {
        String table = oneOf(StressTables.CHURNED, meetsDdl ? changing() : StressTables.CHURNED, meetsDdl ? "parts" : StressTables.CHURNED);
        String rows = value("""
                SELECT %sSUM(ranges = 1 + last) FROM (
                  SELECT COUNT(*) AS ranges, MAX(range_no) AS last FROM information_schema.mysql_pq_ranges
                  WHERE table_schema = 's' AND table_name = '%s' AND index_name = '%s' AND range_count = %s
                  GROUP BY partition_name) r""".formatted(hint, table, index(table), oneOf(1, 8, 64)));
        assertThat(rows).isEqualTo("parts".equals(table) ? "2" : "1");
        report.count("call rows of the ranges table");
    }

    private void partition()
            throws SQLException, JsonProcessingException
    {
        ascending(reply(ranges("", "parts", index("parts"), ", '{\"partition\": \"%s\"}'".formatted(oneOf("p0", "p1")))));
    }

    // If the definition is the same before and after, then a plan in between is of that definition too.
    private void sameDefinition()
            throws SQLException, JsonProcessingException
    {
        String table = changing();
        String index = index(table);
        String definition = "SELECT mysql_pq_definition('s', '%s', '%s')".formatted(table, index);
        String before = reply(definition).required("definition").textValue();
        String planned = reply(ranges("", table, index, "")).required("definition").textValue();
        if (before.equals(reply(definition).required("definition").textValue())) {
            assertThat(planned).isEqualTo(before);
            report.count("call definition compared");
        }
    }

    // The first key column of both indexes is an integer, ascending in PRIMARY and descending in i.
    private void ascending(JsonNode plan)
    {
        boolean descending = plan.required("columns").get(0).required("descending").booleanValue();
        long previous = descending ? Long.MAX_VALUE : Long.MIN_VALUE;
        for (JsonNode boundary : plan.required("boundaries")) {
            long value = boundary.get(0).isNull() ? Long.MIN_VALUE : Long.parseLong(boundary.get(0).textValue());
            if (descending ? value > previous : value <= previous) {
                throw new AssertionError("Boundaries out of order: " + plan);
            }
            previous = value;
        }
        assertThat(plan.required("rows")).hasSameSizeAs(plan.required("pages")).hasSize(plan.required("boundaries").size() + 1);
        report.count("call ranges checked");
    }

    private JsonNode reply(String sql)
            throws SQLException, JsonProcessingException
    {
        String text = value(sql);
        assertThat(text).as("an interrupted call must be an error, not NULL").isNotNull();
        return JSON.readTree(text);
    }

    private String changing()
    {
        return StressTables.CHANGING.get(random.nextInt(StressTables.CHANGING.size()));
    }

    private String index(String table)
    {
        return oneOf(StressTables.clusteredIndex(table), "i");
    }

    private String options()
    {
        return oneOf("", ", '{\"leaf\": true}'", ", '{\"off_page\": [\"x\"]}'", ", '{\"off_page\": [\"x\"], \"lower\": [\"20000\"], \"upper\": [\"60000\"]}'", ", '{\"lower\": [\"20\"], \"upper\": [\"10\"]}'", ", '{\"lower\": [\"20\"]}'");
    }

    private String ranges(String hint, String table, String index, String options)
    {
        return "SELECT %smysql_pq_ranges('s', '%s', '%s', %s%s)".formatted(hint, table, index, oneOf(1, 8, 64, 5000), options);
    }

    private static void assertDocumented(SQLException e)
    {
        boolean own = OWN.stream().anyMatch(code -> e.getMessage().startsWith("mysql_pq: %s: ".formatted(code)));
        if (!DOCUMENTED.contains(e.getErrorCode()) && !(e.getErrorCode() == 3200 && own)) {
            throw new AssertionError("Not a documented error: %s %s".formatted(e.getErrorCode(), e.getMessage()), e);
        }
    }
}
