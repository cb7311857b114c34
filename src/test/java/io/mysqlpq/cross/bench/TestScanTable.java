package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RangeMetrics;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TestScanTable
{
    @Test
    void testBytesAndBalance()
    {
        Figures ranges = figures("ranges", new ScanFacts(1000, new RangeMetrics(4, 1000, 100, 500)), 20_000);
        Figures mysql = figures("MySQL alone", new ScanFacts(1000, RangeMetrics.NONE), 40_000);
        assertThat(printed(List.of(List.of(ranges, mysql))).lines().map(line -> line.replaceAll(" +", " ")))
                .contains("uneven keys | ranges | 1,000 | 20.0 | 0 | 4 | 100 | 250 | 500 | 2.00")
                .anyMatch(line -> line.startsWith(" | MySQL alone | 1,000 | 40.0 | 0 |"));
    }

    @Test
    void testNoScans()
    {
        assertThat(printed(List.of(List.of(figures("ranges", ScanFacts.NONE, 100))))).isEmpty();
    }

    private static String printed(List<List<Figures>> cases)
    {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ScanTable(cases).print(new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }

    private static Figures figures(String side, ScanFacts scan, long sentBytes)
    {
        return new Figures("uneven keys", side, Counted.SINGLE_QUERY, List.of(new Sample(Work.scan(1, scan), new CpuTimes(0, 0), new MemoryPeaks(0, 0), sentBytes)));
    }
}
