package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMemoryPeaks
{
    @Test
    void testPeak()
    {
        assertThat(MemoryPeaks.peak("Name:\tmysqld\nVmPeak:\t  900 kB\nVmHWM:\t   804152 kB\nVmRSS:\t  1 kB\n")).isEqualTo(804_152L * 1024);
        assertThatThrownBy(() -> MemoryPeaks.peak("Name:\tkthreadd\n")).hasMessageContaining("No VmHWM");
    }

    @Test
    void testOwnProcess()
            throws IOException
    {
        long process = ProcessHandle.current().pid();
        MemoryPeaks.reset(process);
        assertThat(MemoryPeaks.now(process, process).mysql()).isGreaterThan(10L << 20).isLessThan(100L << 30);
    }
}
