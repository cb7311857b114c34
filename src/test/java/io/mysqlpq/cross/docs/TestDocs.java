package io.mysqlpq.cross.docs;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import io.mysqlpq.trino.MysqlPqConnectorFactory;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.Maps.fromProperties;
import static io.mysqlpq.cross.docs.BlockMark.CATALOG;
import static io.mysqlpq.cross.docs.BlockMark.MYSQL;
import static io.mysqlpq.cross.docs.BlockMark.MYSQLD;
import static io.mysqlpq.cross.docs.BlockMark.NEW_MYSQL;
import static io.mysqlpq.cross.docs.BlockMark.TRINO;
import static io.mysqlpq.cross.docs.BlockMark.TRINO_WITHOUT_EXTENSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs the code blocks of all pages as they are written; those of one page in their order, over one state of the example schema. */
@TestInstance(PER_CLASS)
class TestDocs
{
    private static final Set<BlockMark> RUN_HERE = EnumSet.of(TRINO, TRINO_WITHOUT_EXTENSION, MYSQL, NEW_MYSQL, CATALOG, MYSQLD);

    @AutoClose
    private final DocsServers servers = new DocsServers();

    @ParameterizedTest
    @MethodSource("pagesWithCode")
    void testCodeOfPage(Path page)
            throws Exception
    {
        servers.reset();
        assertThat(Repository.blocks(page).stream().filter(TestDocs::isRunHere)).allSatisfy(block -> assertThatCode(() -> run(block)).as("%s", block).doesNotThrowAnyException());
    }

    private void run(CodeBlock block)
            throws Exception
    {
        switch (BlockMark.of(block).orElseThrow()) {
            case TRINO -> servers.runInTrino(block.text());
            case TRINO_WITHOUT_EXTENSION -> servers.runInTrinoWithoutExtension(block.text());
            case MYSQL -> servers.runInMysql(block.text());
            case NEW_MYSQL -> DocsServers.runInNewMysql(block.text());
            case CATALOG -> createCatalog(block.text());
            case MYSQLD -> startMysql(block.text());
            case PQ, JSON, RUN_BY, OUTSIDE -> throw new IllegalArgumentException("Not run here: " + block);
        }
    }

    // Unknown properties and values that a property does not take are refused.
    private static void createCatalog(String text)
            throws IOException
    {
        Map<String, String> properties = new HashMap<>(Map.of("connection-url", "jdbc:mysql://example.net:3306"));
        properties.putAll(properties(text));
        String connector = properties.remove("connector.name");
        assertThat(connector).isIn(null, "mysql_pq");
        new MysqlPqConnectorFactory().create("docs", ImmutableMap.copyOf(properties), new TestingConnectorContext()).shutdown();
    }

    private static void startMysql(String text)
            throws IOException
    {
        Map<String, String> options = new HashMap<>(properties(text));
        assertThat(options.remove("[mysqld]")).as("the section's head").isEmpty();
        MysqlServerBuilder builder = MysqlServer.builder();
        options.forEach(builder::option);
        try (MysqlServer server = builder.start()) {
            server.assertErrorLogClean();
        }
    }

    private static Map<String, String> properties(String text)
            throws IOException
    {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        return fromProperties(properties);
    }

    private static boolean isRunHere(CodeBlock block)
    {
        return BlockMark.of(block).filter(RUN_HERE::contains).isPresent();
    }

    static Stream<Path> pagesWithCode()
    {
        return Repository.pages().stream().filter(page -> Repository.blocks(page).stream().anyMatch(TestDocs::isRunHere));
    }
}
