package io.mysqlpq.cross.bench.micro;

import io.mysqlpq.trino.rows.BenchmarkBatchBlocks;
import io.mysqlpq.trino.rows.BenchmarkPacketPages;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks of the connector's decoders, and keeps their results as JSON. */
public final class MicroBench
{
    private MicroBench()
    {}

    /** @param arguments the file of the results, milliseconds of one iteration, and the commit, which is kept in the results as a JVM option */
    public static void main(String[] arguments)
            throws RunnerException
    {
        TimeValue time = TimeValue.milliseconds(Long.parseLong(arguments[1]));
        new Runner(new OptionsBuilder()
                .include(BenchmarkPacketPages.class.getSimpleName())
                .include(BenchmarkBatchBlocks.class.getSimpleName())
                .forks(1)
                .jvmArgsAppend("-Dpq.commit=" + arguments[2])
                .warmupIterations(3)
                .warmupTime(time)
                .measurementIterations(5)
                .measurementTime(time)
                .shouldFailOnError(true)
                .resultFormat(ResultFormatType.JSON)
                .result(arguments[0])
                .build())
                .run();
    }
}
