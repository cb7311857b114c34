package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRangesRequest
{
    @Test
    void testOptions()
    {
        assertThat(new RangesRequest("s", "t", "PRIMARY", 4, KeyRange.all()).options()).isEmpty();
        KeyRange within = new KeyRange(
                Optional.of(KeyBound.of(new IntegerKeyValue("-5"), new TextKeyValue("61"))),
                Optional.of(KeyBound.of(new NullKeyValue())));
        assertThat(new RangesRequest("s", "t", "PRIMARY", 4, within).options()).contains("{\"lower\":[\"-5\",\"61\"],\"upper\":[null]}");
    }

    @Test
    void testPartition()
    {
        RangesRequest request = new RangesRequest("s", "t", "PRIMARY", 1, KeyRange.all()).ofPartition("p\"1", 4);
        assertThat(request.options()).contains("{\"partition\":\"p\\\"1\"}");
        assertThat(request.count()).isEqualTo(4);
    }

    @Test
    void testLeafKeys()
    {
        RangesRequest request = new RangesRequest("s", "t", "PRIMARY", 1, KeyRange.all()).withLeafKeys(true);
        assertThat(request.options()).contains("{\"leaf\":true}");
        assertThat(request.ofPartition("p", 4).options()).contains("{\"partition\":\"p\",\"leaf\":true}");
        assertThat(request.withLeafKeys(false).options()).isEmpty();
    }

    @Test
    void testOffPage()
    {
        RangesRequest request = new RangesRequest("s", "t", "PRIMARY", 1, KeyRange.all()).withOffPage(ImmutableList.of("a", "b\""));
        assertThat(request.options()).contains("{\"off_page\":[\"a\",\"b\\\"\"]}");
        assertThat(request.ofPartition("p", 4).withLeafKeys(true).withRows(Optional.empty()).offPage()).containsExactly("a", "b\"");
    }

    @Test
    void testScannedRows()
    {
        ScannedRows rows = new ScannedRows(ImmutableList.of(new ScannedRows.Column("n", "int32")), ImmutableMap.of(), ImmutableList.of(new ScanCondition.Comparison("a", "<", "b")));
        RangesRequest request = new RangesRequest("s", "t", "GEN_CLUST_INDEX", 1, KeyRange.all()).withRows(Optional.of(rows));
        assertThat(request.options()).contains("{\"columns\":[[\"n\",\"int32\"]],\"filters\":[{\"left\":\"a\",\"comparison\":\"<\",\"right\":\"b\"}]}");
        assertThat(request.ofPartition("p", 4).withLeafKeys(true).rows()).contains(rows);
    }

    @Test
    void testLimitsOfScannedRows()
    {
        ScanCondition condition = new ScanCondition.Filter("n".repeat(64), nCopies(100, ScanCondition.Interval.ALL), true);
        assertThat(new ScannedRows(ImmutableList.of(), ImmutableMap.of(), nCopies(40, condition)).isWithinLimits()).isTrue();
        assertThat(new ScannedRows(ImmutableList.of(), ImmutableMap.of(), nCopies(41, condition)).isWithinLimits()).isFalse();
        ScanCondition large = new ScanCondition.Filter("n", ImmutableList.of(new ScanCondition.Interval(Optional.of("x".repeat(192 * 1024)), true, Optional.empty(), true)), true);
        assertThat(new ScannedRows(ImmutableList.of(), ImmutableMap.of(), ImmutableList.of(large)).isWithinLimits()).isFalse();
    }

    @Test
    void testCount()
    {
        assertThatThrownBy(() -> new RangesRequest("s", "t", "PRIMARY", 0, KeyRange.all())).isInstanceOf(IllegalArgumentException.class);
    }
}
