package io.mysqlpq.trino.cells;

import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestDigits
{
    private final Random random = Seed.random();

    @Test
    void testAnyLong()
            throws UnusualCellException
    {
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong() >> random.nextInt(Long.SIZE);
            assertThat(signed("" + value)).isEqualTo(value);
        }
        assertThat(signed("" + Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(signed("" + Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(signed("-0")).isZero();
        assertThat(signed("0000000000000000042")).isEqualTo(42);
    }

    @Test
    void testTooLarge()
    {
        for (String number : new String[] {"9223372036854775808", "-9223372036854775809", "9999999999999999999", "18446744073709551615", "100000000000000000000"}) {
            assertThatThrownBy(() -> signed(number)).as(number).isInstanceOf(UnusualCellException.class);
        }
    }

    @Test
    void testOtherBytesAreNoDigits()
    {
        for (int length = 1; length <= Digits.MOST; length++) {
            for (int at = 0; at < length; at++) {
                for (int other = 0; other < 256; other++) {
                    if (other < '0' || other > '9') {
                        byte[] bytes = padded("1".repeat(length));
                        bytes[1 + at] = (byte) other;
                        int digits = length;
                        assertThatThrownBy(() -> Digits.unsigned(bytes, 1, digits)).isInstanceOf(UnusualCellException.class);
                    }
                }
            }
        }
        assertThatThrownBy(() -> Digits.unsigned(padded(""), 1, 0)).isInstanceOf(UnusualCellException.class);
        assertThatThrownBy(() -> signed("-")).isInstanceOf(UnusualCellException.class);
        assertThatThrownBy(() -> Digits.two(padded("1:"), 1)).isInstanceOf(UnusualCellException.class);
        assertThatThrownBy(() -> Digits.two(padded("/1"), 1)).isInstanceOf(UnusualCellException.class);
    }

    private static long signed(String text)
            throws UnusualCellException
    {
        return Digits.signed(padded(text), 1, text.length());
    }

    // What stands around a number counts for nothing.
    private static byte[] padded(String text)
    {
        return ("7" + text + "3:/9x765").getBytes(ISO_8859_1);
    }
}
