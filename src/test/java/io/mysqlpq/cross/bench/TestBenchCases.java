package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestBenchCases
{
    @Test
    void testNamesAreDistinctAndWithoutCommas()
            throws IOException
    {
        assertThat(BenchCases.all(List.of(1L))).extracting(BenchCase::name).doesNotHaveDuplicates().noneMatch(name -> name.contains(","));
    }

    @Test
    void testSidesOfLoads()
            throws IOException
    {
        List<BenchCase> onMysql = BenchCases.all(List.of(1L)).stream().filter(each -> each.runsOn(new MysqlSide())).toList();
        assertThat(onMysql).extracting(BenchCase::name).contains("Q1 x 8", "point lookup x 200", "dashboard x 50").doesNotContain("copy of lineitem");
        assertThat(BenchCases.all(List.of(1L)).stream().filter(each -> each.runsOn(TrinoSide.ONE_SPLIT))).extracting(BenchCase::name).contains("Q1", "point lookup x 8").doesNotContain("Q1 x 8", "dashboard x 50");
        assertThat(BenchCases.all(List.of(1L))).allMatch(each -> each.runsOn(TrinoSide.RANGES));
        assertThat(BenchCases.all(List.of(1L)).stream().filter(each -> each.runsOn(TrinoSide.MEMORY))).extracting(BenchCase::name).hasSize(5).allMatch(name -> name.startsWith("point lookup x "));
        assertThat(BenchCases.all(List.of(1L)).stream().filter(each -> each.runsOn(TrinoSide.NO_READAHEAD))).extracting(BenchCase::name).containsExactly("fragmented table in 1 range cold", "fragmented table in 4 ranges cold");
    }

    @Test
    void testDashboardTilesDiffer()
    {
        assertThat(Dashboard.queries(50)).extracting(BenchQuery::sql).doesNotHaveDuplicates().hasSize(50);
    }
}
