package io.mysqlpq.trino.driver;

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

    @Test
    void testOneHost()
    {
        assertThat(config("jdbc:mysql://example.net:3306").isUrlOfOneHost()).isTrue();
        assertThat(config("jdbc:mysql://address=(host=example.net)(port=3306)?sslMode=REQUIRED").isUrlOfOneHost()).isTrue();
        for (String url : new String[] {
                "jdbc:mysql://a.example.net,b.example.net:3307",
                "jdbc:mysql:loadbalance://a.example.net,b.example.net",
                "jdbc:mysql:replication://a.example.net,b.example.net",
                "jdbc:mysql+srv://_mysql._tcp.example.net"}) {
            assertThat(config(url).isUrlOfOneHost()).as(url).isFalse();
        }
    }

    private static MysqlPqJdbcConfig config(String url)
    {
        MysqlPqJdbcConfig config = new MysqlPqJdbcConfig();
        config.setConnectionUrl(url);
        return config;
    }
}
