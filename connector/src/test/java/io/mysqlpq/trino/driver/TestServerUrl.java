package io.mysqlpq.trino.driver;

import io.mysqlpq.trino.connection.ServerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestServerUrl
{
    private static final ServerAddress REPLICA = new ServerAddress("replica.example.net", 3307);

    @Test
    void testServer()
    {
        assertThat(ServerUrl.server("jdbc:mysql://primary.example.net")).hasValue(new ServerAddress("primary.example.net", 3306));
        assertThat(ServerUrl.server("jdbc:mysql://primary.example.net:3310/?sslMode=DISABLED")).hasValue(new ServerAddress("primary.example.net", 3310));
        assertThat(ServerUrl.server("jdbc:mysql://[::1]:3310")).hasValue(new ServerAddress("::1", 3310));
        assertThat(ServerUrl.server("jdbc:mysql://a,b")).isEmpty();
        assertThat(ServerUrl.server("no URL")).isEmpty();
    }

    @Test
    void testOtherServer()
    {
        assertThat(ServerUrl.of("jdbc:mysql://primary.example.net", REPLICA)).isEqualTo("jdbc:mysql://replica.example.net:3307");
        assertThat(ServerUrl.of("jdbc:mysql://primary.example.net:3310/?sslMode=DISABLED&x=//primary.example.net", REPLICA)).isEqualTo("jdbc:mysql://replica.example.net:3307/?sslMode=DISABLED&x=//primary.example.net");
        assertThat(ServerUrl.of("jdbc:mysql://primary.example.net?a=b", new ServerAddress("::1", 3306))).isEqualTo("jdbc:mysql://[::1]:3306?a=b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://user:password@primary.example.net", "jdbc:mysql://address=(host=primary.example.net)(port=3306)", "jdbc:mysql://(host=primary.example.net)", "jdbc:mysql://a,b"})
    void testUrlOfAnotherForm(String url)
    {
        assertThatThrownBy(() -> ServerUrl.of(url, REPLICA)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("jdbc:mysql://host:port");
    }
}
