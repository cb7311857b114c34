package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestBenchOptions
{
    @Test
    void testParse()
    {
        BenchOptions options = BenchOptions.parse(List.of("scale", "0.1", "rounds", "3", "queries", "Q1,count(*)", "stock", "true", "connectorx", "venv/bin/python", "spark", "jars", "assert", "true", "tuned", "a = 1", "tuned", "b = 2", "link", "true", "busy", "true", "model", "true", "resume", "earlier.json"));
        assertThat(options.scale()).isEqualTo("0.1");
        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.queries()).containsExactlyInAnyOrder("Q1", "count(*)");
        assertThat(options.stock()).isTrue();
        assertThat(options.connectorx()).contains(Path.of("venv/bin/python"));
        assertThat(options.spark()).contains(Path.of("jars"));
        assertThat(options.asserted()).isTrue();
        assertThat(options.tuned()).containsExactly("a = 1", "b = 2");
        assertThat(options.model()).isTrue();
        assertThat(options.resumed()).contains(Path.of("earlier.json"));
        assertThat(options.surroundings()).containsExactly(Surroundings.WARM, Surroundings.LINK, Surroundings.BUSY);
    }

    @Test
    void testUnknownOption()
    {
        assertThatThrownBy(() -> BenchOptions.parse(List.of("fast", "true"))).hasMessage("No such option: fast");
    }
}
