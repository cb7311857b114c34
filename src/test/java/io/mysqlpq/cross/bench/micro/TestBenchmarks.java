package io.mysqlpq.cross.bench.micro;

import io.mysqlpq.trino.rows.BenchmarkBatchBlocks;
import io.mysqlpq.trino.rows.BenchmarkPacketPages;
import io.trino.spi.block.Block;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static java.lang.Math.ceilDiv;
import static org.assertj.core.api.Assertions.assertThat;

/** Does each benchmark of the decoders once. */
class TestBenchmarks
{
    private static final List<Integer> NULL_EVERY = List.of(0, 8);

    @Test
    void testPacketPages()
            throws Exception
    {
        for (String type : types(BenchmarkPacketPages.class)) {
            for (int nullEvery : NULL_EVERY) {
                BenchmarkPacketPages benchmark = new BenchmarkPacketPages();
                benchmark.type = type;
                benchmark.nullEvery = nullEvery;
                benchmark.setUp();
                assertThat(benchmark.findCells()).isNotNull();
                assertBlock(type, benchmark.decodeCells(), BenchmarkPacketPages.ROWS, nullEvery);
            }
        }
    }

    @Test
    void testBatchBlocks()
            throws Exception
    {
        for (String type : types(BenchmarkBatchBlocks.class)) {
            for (int nullEvery : NULL_EVERY) {
                BenchmarkBatchBlocks benchmark = new BenchmarkBatchBlocks();
                benchmark.type = type;
                benchmark.nullEvery = nullEvery;
                benchmark.setUp();
                assertBlock(type, benchmark.makeBlock(), BenchmarkBatchBlocks.ROWS, nullEvery);
            }
        }
    }

    private static List<String> types(Class<?> benchmark)
            throws NoSuchFieldException
    {
        return Arrays.asList(benchmark.getField("type").getAnnotation(Param.class).value());
    }

    private static void assertBlock(String type, Block block, int rows, int nullEvery)
    {
        assertThat(block.getPositionCount()).as(type).isEqualTo(rows);
        assertThat(IntStream.range(0, rows).filter(block::isNull).count()).as("NULLs of " + type).isEqualTo(nullEvery == 0 ? 0 : ceilDiv(rows, nullEvery));
    }
}
