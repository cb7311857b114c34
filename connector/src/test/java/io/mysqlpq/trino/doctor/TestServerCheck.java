package io.mysqlpq.trino.doctor;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TestServerCheck
{
    @ParameterizedTest
    @CsvSource({
            "5.7.44-log, PROBLEM",
            "8.0.11, PROBLEM",
            "8.0.29-0ubuntu0.22.04.2, PROBLEM",
            "8.0.30, WARNING",
            "8.3.0, WARNING",
            "8.4.3, OK",
            "9.7.4-2, OK",
            "9.7.12, OK",
            "26.7.0, WARNING",
            "unknown, WARNING"})
    void testVersions(String version, Finding.Status status)
    {
        Finding finding = ServerCheck.version(version);
        assertThat(finding.status()).isEqualTo(status);
        assertThat(finding.found()).isEqualTo("MySQL " + version);
    }
}
