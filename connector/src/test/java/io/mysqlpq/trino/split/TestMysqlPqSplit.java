package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.json.JsonMapperProvider;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.MergeableFunction;
import io.mysqlpq.trino.aggregation.MergedColumn;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.PartialColumn;
import io.mysqlpq.trino.aggregation.RowAggregate;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.connection.ConnectionShare;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.nativescan.NativeFilter;
import io.mysqlpq.trino.protocol.ExtensionFeatures;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;
import io.mysqlpq.trino.protocol.ScanCondition.Interval;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.block.BlockJsonSerde;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.HostAddress;
import io.trino.spi.SplitWeight;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import io.trino.type.TypeDeserializer;
import org.junit.jupiter.api.Test;

import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.metadata.InternalBlockEncodingSerde.TESTING_BLOCK_ENCODING_SERDE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlPqSplit
{
    // As the engine's own mapper does it.
    private static final JsonCodec<MysqlPqSplit> CODEC = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(ImmutableMap.of(
                    Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER),
                    Block.class, new BlockJsonSerde.Deserializer(TESTING_BLOCK_ENCODING_SERDE)))
            .withJsonSerializers(ImmutableMap.of(Block.class, new BlockJsonSerde.Serializer(TESTING_BLOCK_ENCODING_SERDE)))
            .get())
            .jsonCodec(MysqlPqSplit.class);

    private static final List<KeyColumn> COLUMNS = ImmutableList.of(
            KeyColumn.integer("a"),
            KeyColumn.text("b", "utf8mb4", "utf8mb4_bin").withNullable().withDescending().withPrefixLength(10));

    private static final JdbcColumnHandle TEXT = new JdbcColumnHandle(
            "k",
            new JdbcTypeHandle(Types.VARCHAR, Optional.of("VARCHAR COLLATE latin1_bin"), Optional.of(10), Optional.empty(), Optional.empty(), Optional.empty()),
            createVarcharType(10));
    private static final List<SplitTable> TABLES = ImmutableList.of(new SplitTable(new RemoteTableName(Optional.of("test"), Optional.empty(), "t"), ImmutableList.of(TEXT)));
    private static final ConnectionShare SHARE = new ConnectionShare("c", 1, 3, 2);
    private static final SnapshotToken TOKEN = new SnapshotToken("00112233445566778899aabbccddeeff", true, new ExtensionFeatures(ImmutableSet.of("adopt_tables", "validators")));

    private static final ScanCondition EITHER_END = new Filter(
            "a",
            ImmutableList.of(new Interval(Optional.empty(), false, Optional.of("-7"), true), new Interval(Optional.of("5"), false, Optional.empty(), false)),
            true);
    private static final NativeFilter FILTER = new NativeFilter(
            ImmutableMap.of("a", "integer", "b", "decimal(10,2)"),
            ImmutableList.of(EITHER_END, new Choice(ImmutableList.of(ImmutableList.of(new Comparison("a", "<=", "b"), EITHER_END), ImmutableList.of()))));

    @Test
    void testTokenIsNotShown()
    {
        assertThat(new MysqlPqSplit("scan", "1/1", TABLES, Optional.empty(), Optional.empty(), RowExpressions.NONE, Optional.empty(), Optional.empty(), Optional.of(TOKEN), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of()).toString()).doesNotContain(TOKEN.value());
    }

    @Test
    void testJsonRoundTripOfRange()
    {
        KeyRange range = new KeyRange(
                Optional.of(KeyBound.of(new IntegerKeyValue("-7"), new NullKeyValue())),
                Optional.of(KeyBound.of(new IntegerKeyValue("18446744073709551615"), new TextKeyValue("f09f"))));
        assertRoundTrip(new MysqlPqSplit(
                "scan",
                "3/8",
                TABLES,
                Optional.of(new SplitRange(new IndexKey("PRIMARY", true, COLUMNS), range, "c0ffee")),
                Optional.of(FILTER),
                RowExpressions.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(TOKEN),
                SHARE,
                TupleDomain.withColumnDomains(ImmutableMap.of(
                        new JdbcColumnHandle("a", new JdbcTypeHandle(Types.BIGINT, Optional.of("BIGINT"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), BIGINT),
                        Domain.singleValue(BIGINT, 5L))),
                ImmutableList.of(TEXT),
                SplitWeight.fromProportion(0.25), ImmutableList.of(HostAddress.fromParts("worker", 8080))));
    }

    @Test
    void testJsonRoundTripOfOtherTypesAndPartitions()
    {
        Map<KeyEncoding, String> values = ImmutableMap.of(
                KeyEncoding.DECIMAL, "-0.50",
                KeyEncoding.DOUBLE, "1.5e-07",
                KeyEncoding.DATE, "2020-00-00",
                KeyEncoding.DATETIME, "2026-11-21 15:00:00.1",
                KeyEncoding.TIME, "-100:00:00",
                KeyEncoding.BINARY, "00ff");
        List<KeyColumn> columns = Stream.concat(
                Stream.of(KeyColumn.integer("e").withListedUpTo("7")),
                values.keySet().stream().map(encoding -> KeyColumn.of(encoding.name(), encoding))).collect(toImmutableList());
        KeyBound bound = new KeyBound(columns.stream().map(column -> KeyValue.fromProtocol(column, values.getOrDefault(column.encoding(), "3"))).collect(toImmutableList()));
        SplitRange read = new SplitRange(new IndexKey("PRIMARY", true, columns), ImmutableList.of("p0", "p 1"), new KeyRange(Optional.of(bound), Optional.empty()), "c0ffee", true);
        assertRoundTrip(new MysqlPqSplit("scan", "1/1", TABLES, Optional.of(read), Optional.empty(), RowExpressions.NONE, Optional.empty(), Optional.empty(), Optional.empty(), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of()));
    }

    @Test
    void testJsonRoundTripOfWholeTable()
    {
        List<SplitTable> joined = ImmutableList.of(TABLES.getFirst(), new SplitTable(new RemoteTableName(Optional.of("other"), Optional.empty(), "u"), ImmutableList.of()));
        assertRoundTrip(new MysqlPqSplit("scan", "1/1", joined, Optional.empty(), Optional.empty(), RowExpressions.NONE, Optional.empty(), Optional.empty(), Optional.of(TOKEN), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of()));
        assertRoundTrip(new MysqlPqSplit("scan", "1/1", TABLES, Optional.empty(), Optional.empty(), RowExpressions.NONE, Optional.empty(), Optional.empty(), Optional.empty(), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of()));
    }

    @Test
    void testJsonRoundTripOfAggregation()
    {
        JdbcColumnHandle column = new JdbcColumnHandle("a", new JdbcTypeHandle(Types.BIGINT, Optional.of("BIGINT"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), BIGINT);
        // Its constraint needs the engine's own knowledge of column handles: TestParallelAggregation sends one.
        JdbcTableHandle rows = new JdbcTableHandle(new SchemaTableName("test", "t"), TABLES.getFirst().name(), Optional.empty());
        PartialColumn greatest = new PartialColumn(column, new ParameterizedExpression("max(`a`)", ImmutableList.of()));
        PartialAggregation aggregation = new PartialAggregation(rows, ImmutableList.of(new MergedColumn(column, MergeableFunction.MAX, ImmutableList.of(greatest))));
        SplitRange range = new SplitRange(new IndexKey("PRIMARY", true, COLUMNS), new KeyRange(Optional.empty(), Optional.empty()), "c0ffee");
        RangedAggregation ranged = new RangedAggregation(aggregation, ImmutableList.of(range), new AggregationOptions(3, 1000, true), Optional.of(new NativeFilter(ImmutableMap.of("a", "integer"), ImmutableList.of())));
        MysqlPqSplit split = new MysqlPqSplit("scan", "1/1", TABLES, Optional.empty(), Optional.empty(), RowExpressions.NONE, Optional.empty(), Optional.of(ranged), Optional.of(TOKEN), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of());
        assertRoundTrip(split);
        MysqlPqSplit only = getOnlyElement(split.ofRanges());
        assertRoundTrip(only);
        assertThat(only.range()).contains(range);
        for (Optional<List<RowAggregate>> ofRows : List.of(Optional.<List<RowAggregate>>empty(), Optional.of(List.of(new RowAggregate(MergeableFunction.MAX, Optional.of(column), column))))) {
            WholeGroupAggregation groups = new WholeGroupAggregation(rows, ImmutableList.of(column), ImmutableList.of(greatest), 1, ofRows);
            assertRoundTrip(new MysqlPqSplit("scan", "1/1", TABLES, Optional.of(range), Optional.of(FILTER), RowExpressions.NONE, Optional.of(groups), Optional.empty(), Optional.of(TOKEN), SHARE, TupleDomain.all(), ImmutableList.of(), SplitWeight.standard(), ImmutableList.of()));
        }
    }

    private static void assertRoundTrip(MysqlPqSplit split)
    {
        MysqlPqSplit read = CODEC.fromJson(CODEC.toJson(split));
        assertThat(read).isEqualTo(split);
        // Columns of one name are equal to Trino.
        assertThat(CODEC.toJson(read)).isEqualTo(CODEC.toJson(split));
    }

    @Test
    void testBoundsMustFitTheKey()
    {
        KeyRange range = new KeyRange(Optional.of(KeyBound.of(new TextKeyValue("61"))), Optional.empty());
        assertThatThrownBy(() -> new SplitRange(new IndexKey("PRIMARY", true, COLUMNS), range, "c0ffee"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PRIMARY");
    }
}
