package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.protocol.UnsupportedReplyException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MALFORMED_REPLY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestReplies
{
    // The example of docs/protocol.md, cut to three ranges.
    private static final String RANGES = """
            {"protocol": 1, "schema": "tpch", "table": "lineitem", "partition": null, "index": "PRIMARY",
             "clustered": true, "definition": "c0ffee",
             "columns": [
               {"name": "l_orderkey", "type": "bigint", "encoding": "integer", "unsigned": false,
                "nullable": false, "descending": false, "charset": null, "collation": null, "prefix": null},
               {"name": "l_comment", "type": "varchar", "encoding": "text", "unsigned": false,
                "nullable": true, "descending": true, "charset": "utf8mb4",
                "collation": "utf8mb4_0900_ai_ci", "prefix": 10}],
             "count_requested": 64, "count_clamped": false,
             "height": 3, "level": 1, "pages_read": 5,
             "boundaries": [["6000", null], ["12007", "61626364"]],
             "rows": [15000, 15100, 14900],
             "pages": [110, 112, 109]}""";

    private static final RangesRequest REQUEST = new RangesRequest("tpch", "lineitem", "PRIMARY", 64, KeyRange.all());

    private static final String VERSION = """
            {"extension": "0.1.0", "protocol": 1, "server_version": "9.7.4", "enabled": true,
             "max_ranges": 4096, "functions": ["mysql_pq_version"], "features": ["off_page", "weather"]}""";

    @Test
    void testRanges()
            throws Exception
    {
        RangesReply reply = RangesReply.decode(REQUEST, RANGES);
        KeyBound first = KeyBound.of(new IntegerKeyValue("6000"), new NullKeyValue());
        KeyBound second = KeyBound.of(new IntegerKeyValue("12007"), new TextKeyValue("61626364"));
        assertThat(reply.key().columns()).containsExactly(
                KeyColumn.integer("l_orderkey"),
                KeyColumn.text("l_comment", "utf8mb4", "utf8mb4_0900_ai_ci").withNullable().withDescending().withPrefixLength(10));
        assertThat(reply.ranges()).containsExactly(
                new KeyRange(Optional.empty(), Optional.of(first)),
                new KeyRange(Optional.of(first), Optional.of(second)),
                new KeyRange(Optional.of(second), Optional.empty()));
        assertThat(reply.rows()).contains(List.of(15000L, 15100L, 14900L));
        assertThat(reply.definition()).isEqualTo("c0ffee");
        assertThat(reply.pagesRead()).isEqualTo(5);
    }

    @Test
    void testBytes()
            throws Exception
    {
        assertThat(RangesReply.decode(REQUEST, RANGES).bytes()).isEmpty();
        String weighed = RANGES.replace("109]}", "109], \"bytes\": [7, 8, 900], \"off_page_bytes\": [0, 1, 890]}");
        assertThat(RangesReply.decode(REQUEST, weighed).bytes()).contains(List.of(7L, 8L, 900L));
        assertThat(RangesReply.decode(REQUEST, weighed).offPageBytes()).contains(List.of(0L, 1L, 890L));
        assertThatThrownBy(() -> RangesReply.decode(REQUEST, weighed.replace("8, 900", "900"))).hasMessageContaining("2 boundaries but 2 estimates of bytes");
        assertThatThrownBy(() -> RangesReply.decode(REQUEST, weighed.replace(", \"off_page_bytes\": [0, 1, 890]", ""))).hasMessageContaining("one of bytes and off_page_bytes is missing");
        assertThatThrownBy(() -> RangesReply.decode(REQUEST, weighed.replace("\"bytes\": [7, 8, 900], ", ""))).hasMessageContaining("one of bytes and off_page_bytes is missing");
        assertThatThrownBy(() -> RangesReply.decode(REQUEST, weighed.replace("890]", "901]"))).hasMessageContaining("range 2 has 901 bytes off-page of 900 in all");
    }

    @Test
    void testListedValues()
            throws Exception
    {
        RangesReply reply = RangesReply.decode(REQUEST, RANGES.replace("\"prefix\": null}", "\"prefix\": null, \"listed_up_to\": \"7\"}"));
        assertThat(reply.key().columns().getFirst()).isEqualTo(KeyColumn.integer("l_orderkey").withListedUpTo("7"));
    }

    @Test
    void testRangesWithoutEstimates()
            throws Exception
    {
        assertThat(RangesReply.decode(REQUEST, RANGES.replace("[15000, 15100, 14900]", "null")).rows()).isEmpty();
    }

    @Test
    void testNewMembersAreNoError()
            throws Exception
    {
        assertThat(RangesReply.decode(REQUEST, RANGES.replace("\"height\": 3", "\"height\": 3, \"weather\": \"fine\"")).boundaries()).hasSize(2);
    }

    // Each row spoils the good reply in one place.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "\"protocol\": 1| \"protocol\": null",
            "\"protocol\": 1| \"protocol\": \"1\"",
            "\"protocol\": 1| \"protocol\": 1.5",
            "\"protocol\": 1,| ~~",
            "\"definition\": \"c0ffee\",| ~~",
            "\"definition\": \"c0ffee\"| \"definition\": 7",
            "\"index\": \"PRIMARY\",| ~~",
            "\"clustered\": true| \"clustered\": 1",
            "\"nullable\": false,| ~~",
            "\"encoding\": \"integer\"| \"encoding\": null",
            "\"name\": \"l_orderkey\"| \"name\": \"\"",
            "\"collation\": \"utf8mb4_0900_ai_ci\"| \"collation\": null",
            "\"collation\": \"utf8mb4_0900_ai_ci\"| \"collation\": \"a;DROP\"",
            "\"prefix\": 10| \"prefix\": 0",
            "\"prefix\": 10| \"prefix\": 10, \"listed_up_to\": \"7\"",
            "\"prefix\": null}| \"prefix\": null, \"listed_up_to\": 7}",
            "\"prefix\": null}| \"prefix\": null, \"listed_up_to\": \"seven\"}",
            "\"boundaries\"| \"bounds\"",
            "[\"6000\", null]| [\"6000\"]",
            "[\"6000\", null]| [\"6000\", null, null]",
            "[\"6000\", null]| [6000, null]",
            "[\"6000\", null]| [null, null]",
            "[\"6000\", null]| [\"six\", null]",
            "[\"6000\", null]| \"6000\"",
            "[\"6000\", null]| [\"12007\", \"61626364\"]",
            "[\"6000\", null]| [\"13000\", null]",
            "\"descending\": false| \"descending\": true",
            "\"schema\": \"tpch\"| \"schema\": \"other\"",
            "\"table\": \"lineitem\"| \"table\": \"orders\"",
            "\"index\": \"PRIMARY\"| \"index\": \"by_date\"",
            "\"61626364\"| \"xyz\"",
            "15000, 15100| 15000",
            "15000, 15100| -1, 15100",
            "15000, 15100| \"15000\", 15100",
            "109]}| 109]",
            "109]}| 109]} {}",
    })
    void testMalformedRanges(String good, String bad)
    {
        assertThat(RANGES).contains(good);
        assertTrinoExceptionThrownBy(() -> RangesReply.decode(REQUEST, RANGES.replace(good, bad)))
                .hasErrorCode(MYSQL_PQ_MALFORMED_REPLY)
                .hasMessageContaining("mysql_pq_ranges");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "7", "no JSON", "{", "{\"protocol\": 1}"})
    void testNoReply(String reply)
    {
        assertTrinoExceptionThrownBy(() -> RangesReply.decode(REQUEST, reply)).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
        assertTrinoExceptionThrownBy(() -> VersionReply.decode(reply)).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
        assertTrinoExceptionThrownBy(() -> DefinitionReply.decode(reply)).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
    }

    @Test
    void testNullReply()
    {
        assertTrinoExceptionThrownBy(() -> RangesReply.decode(REQUEST, null)).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
    }

    @Test
    void testUnsupportedReplies()
    {
        assertUnsupported(RANGES.replace("\"protocol\": 1", "\"protocol\": 2"), Reason.PROTOCOL);
        assertUnsupported(RANGES.replace("\"encoding\": \"integer\"", "\"encoding\": \"roman\""), Reason.ENCODING);
    }

    private static void assertUnsupported(String reply, Reason reason)
    {
        assertThatThrownBy(() -> RangesReply.decode(REQUEST, reply))
                .isInstanceOfSatisfying(UnsupportedReplyException.class, exception -> assertThat(exception.reason()).isEqualTo(reason));
    }

    @Test
    void testVersion()
            throws Exception
    {
        assertThat(VersionReply.decode(VERSION)).isEqualTo(new VersionReply("0.1.0", "9.7.4", true, 4096, new ExtensionFeatures(ImmutableSet.of("off_page", "weather"))));
        assertThat(VersionReply.decode(VERSION).features().lendsTableLocks()).isFalse();
        assertThat(VersionReply.decode(VERSION.replace("weather", "adopt_tables")).features().lendsTableLocks()).isTrue();
        assertThat(VersionReply.decode(VERSION).features().aggregates()).isFalse();
        assertThat(VersionReply.decode(VERSION.replace("weather", "aggregate")).features().aggregates()).isTrue();
        assertThat(VersionReply.decode(VERSION.replace("weather", "validators")).features().givesValidators()).isTrue();
        assertTrinoExceptionThrownBy(() -> VersionReply.decode(VERSION.replace("4096", "0"))).hasErrorCode(MYSQL_PQ_MALFORMED_REPLY);
    }

    @Test
    void testDefinition()
            throws Exception
    {
        assertThat(DefinitionReply.decode("{\"protocol\": 1, \"definition\": \"c0ffee\"}")).isEqualTo(new DefinitionReply("c0ffee"));
    }
}
