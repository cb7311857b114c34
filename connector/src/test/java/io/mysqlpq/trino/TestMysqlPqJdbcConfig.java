package io.mysqlpq.trino;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestMysqlPqJdbcConfig
{
    @Test
    void testConnectionUrl()
    {
        assertThat(config("jdbc:mysql://example.net:3306").isUrlSupported()).isTrue();
        assertThat(config("jdbc:mysql://example.net:3306").isUrlWithoutDatabase()).isTrue();
        assertThat(config("jdbc:mysql://example.net:3306/?sslMode=REQUIRED").isUrlWithoutDatabase()).isTrue();
        assertThat(config("jdbc:mysql://example.net:3306?sslMode=REQUIRED").isUrlWithoutDatabase()).isTrue();
        assertThat(config("jdbc:mysql://example.net:3306/tpch").isUrlWithoutDatabase()).isFalse();
        assertThat(config("jdbc:postgresql://example.net").isUrlSupported()).isFalse();
    }

    private static MysqlPqJdbcConfig config(String url)
    {
        MysqlPqJdbcConfig config = new MysqlPqJdbcConfig();
        config.setConnectionUrl(url);
        return config;
    }
}
