package io.mysqlpq.trino.error;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.SocketTimeoutException;
import java.sql.SQLException;

import static org.assertj.core.api.Assertions.assertThat;

class TestErrorHints
{
    // Numbers of MySQL's messages ER_DISK_FULL, ER_ERROR_ON_WRITE, ER_TEMP_FILE_WRITE_FAILURE and ER_DISK_FULL_NOWAIT, and of two of its file functions.
    @ParameterizedTest
    @ValueSource(ints = {1021, 1026, 1878, 3675, 3, 20})
    void testDisksThatAreFull(int code)
    {
        assertThat(ErrorHints.explain(new SQLException("No room.", "HY000", code), "reply-timeout")).startsWith("No room. Free space on the disk");
    }

    /** ER_CAPACITY_EXCEEDED_IN_PARSER has nothing to do with disks. */
    @Test
    void testParserWithoutMemory()
    {
        assertThat(ErrorHints.explain(new SQLException("Memory capacity exceeded", "HY000", 3186), "reply-timeout")).isEqualTo("Memory capacity exceeded");
    }

    @ParameterizedTest
    @ValueSource(ints = {1053, 3169, 4031})
    void testSessionsThatEnded(int code)
    {
        assertThat(ErrorHints.explain(new SQLException("Gone", "HY000", code), "reply-timeout")).isEqualTo("Gone. The connection to MySQL was lost. Run the query again");
    }

    @Test
    void testSilence()
    {
        SQLException error = new SQLException("Communications link failure\n\nThe last packet ...", "08S01", new SocketTimeoutException("Read timed out"));
        assertThat(ErrorHints.explain(error, "reply-timeout")).startsWith("Communications link failure. MySQL did not answer within reply-timeout. Run the query again. Raise reply-timeout if");
    }
}
