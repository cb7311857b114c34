package io.mysqlpq.trino.expression;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

class TestTextPattern
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''    | ''     | true
            ''    | a      | false
            %     | ''     | true
            _     | ''     | false
            _     | 😀     | true
            __    | 😀     | false
            a%b   | ab     | true
            a%b   | axbxb  | true
            a%b   | axbxc  | false
            %ab%  | aab    | true
            %a_b  | aaab   | true
            %_€   | ä€€    | true
            _%_   | ä      | false
            #%%   | %a     | true
            #%%   | a%     | false
            ##_   | #1     | true
            """)
    void testMatches(String pattern, String text, boolean matches)
    {
        byte[] padded = utf8Slice("b" + text + "b").getBytes();
        assertThat(TextPattern.parse(pattern, Optional.of("#")).orElseThrow().matches(padded, 1, padded.length - 1)).isEqualTo(matches);
    }

    @Test
    void testWithoutEscape()
    {
        assertThat(TextPattern.parse("#", Optional.empty()).orElseThrow().matches(new byte[] {'#'}, 0, 1)).isTrue();
    }

    @Test
    void testInvalid()
    {
        assertThat(TextPattern.parse("a#", Optional.of("#"))).isEmpty();
        assertThat(TextPattern.parse("#a", Optional.of("#"))).isEmpty();
        assertThat(TextPattern.parse("a", Optional.of(""))).isEmpty();
        assertThat(TextPattern.parse("a", Optional.of("ä"))).isEmpty();
    }
}
