package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestBenchQuery
{
    @Test
    void testSortedBy()
            throws IOException
    {
        assertThat(BenchQuery.tpch(3).sortedBy()).containsExactly("revenue", "o_orderdate");
        assertThat(BenchQuery.tpch(6).sortedBy()).isEmpty();
        assertThat(BenchQuery.tpch(13).sortedBy()).containsExactly("custdist", "c_count");
    }

    @Test
    void testMysqlHasTextOfItsOwnWhereRoundingOrDialectDecides()
            throws IOException
    {
        assertThat(BenchQuery.all()).filteredOn(query -> !query.isScan() && !query.sql().equals(query.mysqlSql())).extracting(BenchQuery::name)
                .containsExactly("Q17", "Q22", "count(*) by lineitem_partkey_suppkey", "count(*) by lineitem_receiptdate", "count(*) by lineitem_shipdate", "count(*) by lineitem_suppkey", "sum by month");
    }

    @Test
    void testNamesAreDistinctAndWithoutCommas()
            throws IOException
    {
        assertThat(BenchQuery.all()).extracting(BenchQuery::name).doesNotHaveDuplicates().noneMatch(name -> name.contains(","));
    }

    @Test
    void testScan()
    {
        BenchQuery scan = new ColumnScan(List.of("a", "b"), "t WHERE c = 1").named("two");
        assertThat(scan.sql()).isEqualTo("SELECT count(*), checksum(a), checksum(b) FROM t WHERE c = 1");
        assertThat(scan.mysqlSql()).isEqualTo("SELECT a, b FROM t WHERE c = 1");
        Answer answer = new Answer(List.of("rows"), List.of(List.of(5L)));
        scan.checkRowCount(5, answer);
        assertThatThrownBy(() -> scan.checkRowCount(4, answer)).hasMessageContaining("read 4 rows");
    }

    @Test
    void testCheckNamesTheQuery()
    {
        BenchQuery query = new BenchQuery("Q6", "SELECT 1", "SELECT 1", false);
        Answer one = new Answer(List.of("x"), List.of(List.of(1L)));
        query.check(one, one);
        assertThatThrownBy(() -> query.check(new Answer(List.of("x"), List.of(List.of(2L))), one)).hasMessageContaining("Q6: the answers of two runs differ");
    }
}
