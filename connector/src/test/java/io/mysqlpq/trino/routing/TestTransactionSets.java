package io.mysqlpq.trino.routing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TestTransactionSets
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | 0
            3e11fa47-71ca-11e1-9e33-c80aa9429562:7 | 1
            3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7:11-12 | 8
            '11111111-1111-1111-1111-111111111111:1-5,\n22222222-2222-2222-2222-222222222222:3' | 6
            '11111111-1111-1111-1111-111111111111:1-5:tag:1-3:other:9, 22222222-2222-2222-2222-222222222222:3' | 10
            11111111-1111-1111-1111-111111111111:1-9223372036854775806 | 9223372036854775806
            """)
    void testSize(String gtids, long transactions)
    {
        assertThat(TransactionSets.size(gtids)).isEqualTo(transactions);
    }
}
