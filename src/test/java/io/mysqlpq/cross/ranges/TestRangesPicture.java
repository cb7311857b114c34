package io.mysqlpq.cross.ranges;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the picture of a table's ranges: it is well-formed whatever names and keys there are, and shows each range that the extension gives, with its sizes.
 */
@TestInstance(PER_CLASS)
class TestRangesPicture
{
    private static final String HOSTILE = "<rect x=\"1\"/>&amp;']]>";

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();

    @BeforeAll
    void fill()
    {
        String rows = " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT %s FROM n";
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (id INT PRIMARY KEY, v INT, filler VARCHAR(800), KEY (v DESC))",
                "INSERT INTO s.t" + rows.formatted(60_000, "i, i % 1000, REPEAT('x', IF(i < 3000, 700, 150))"),
                "CREATE TABLE s.small (id INT PRIMARY KEY)",
                "CREATE TABLE s.parted (id INT PRIMARY KEY, filler VARCHAR(800)) PARTITION BY HASH (id) PARTITIONS 3",
                "INSERT INTO s.parted" + rows.formatted(12_000, "i, REPEAT('x', 150)"),
                "CREATE TABLE s.`%s` (`k%1$s` VARCHAR(100), b VARBINARY(8), filler VARCHAR(800), PRIMARY KEY (`k%1$s`, b))".formatted(HOSTILE),
                "INSERT INTO s.`%s`".formatted(HOSTILE) + rows.formatted(20_000, "CONCAT(CHAR(i % 32), '<&\">]]></title>\uD83D\uDE00', i), X'00ff', REPEAT('x', 150)"),
                "CREATE USER half",
                "GRANT SELECT (id) ON s.t TO half");
    }

    @AfterAll
    void stop()
    {
        mysql.assertErrorLogClean();
    }

    @Test
    void testEachRangeIsDrawnWithItsSizes()
            throws Exception
    {
        for (int degree : new int[] {2, 16, 64, 1000}) {
            JsonNode reply = reply("t", "PRIMARY", degree, "{\"leaf\": true}");
            Document picture = picture("root", "t", "PRIMARY", degree);
            List<Element> ranges = ranges(picture, "range");
            assertThat(ranges).hasSameSizeAs(reply.required("rows")).hasSizeGreaterThan(1);
            assertThat(numbers(ranges, "data-rows")).isEqualTo(numbers(reply.required("rows")));
            assertThat(numbers(ranges, "data-pages")).isEqualTo(numbers(reply.required("pages")));
            assertThat(texts(picture)).contains(reply.required("boundaries").get(0).get(0).textValue());
            assertThat(numbers(ranges(picture, "rows"), "data-rows")).isEqualTo(numbers(reply.required("rows")));
            assertThat(picture.getDocumentElement().getTextContent()).contains(String.format(Locale.ROOT, "%,d rows on %,d leaf pages", sum(reply.required("rows")), sum(reply.required("pages"))));
        }
    }

    // Side by side, from the left edge to the right one.
    @Test
    void testRangesFillTheStrip()
            throws Exception
    {
        for (int degree : new int[] {1, 16, 1000}) {
            List<Element> ranges = ranges(picture("root", "t", "PRIMARY", degree), "range");
            double end = TreePanel.LEFT;
            for (Element range : ranges) {
                assertThat(place(range, "x")).isCloseTo(end, offset(0.02));
                assertThat(place(range, "width")).isPositive();
                end = place(range, "x") + place(range, "width");
            }
            assertThat(end).isCloseTo(TreePanel.LEFT + TreePanel.WIDTH, offset(0.02));
        }
    }

    @Test
    void testHigherLevelsHaveFewerRanges()
            throws Exception
    {
        // Each partition has too few leaf pages for so many ranges, which are of single rows then.
        String options = "{\"leaf\": true, \"partition\": \"p0\"}";
        assertThat(reply("parted", "PRIMARY", 64, options).required("level").intValue()).isZero();
        assertThat(reply("parted", "PRIMARY", 32, options).required("level").intValue()).isEqualTo(1);
        Document picture = picture("root", "parted", "PRIMARY", 64);
        assertThat(ranges(picture, "range")).hasSize(3 * 64);
        assertThat(ranges(picture, "coarse")).hasSize(3 * 32);
        assertThat(texts(picture)).contains("level 1, root", "level 0, leaves");
    }

    @Test
    void testHostileNamesAndKeys()
            throws Exception
    {
        Document picture = picture("root", HOSTILE, "PRIMARY", 16);
        List<Element> ranges = ranges(picture, "range");
        assertThat(ranges).hasSize(reply(HOSTILE, "PRIMARY", 16, "{\"leaf\": true}").required("rows").size()).hasSizeGreaterThan(1);
        assertThat(texts(picture).getFirst()).isEqualTo("s.%s, index PRIMARY (k%1$s, b)".formatted(HOSTILE));
        assertThat(ranges.get(1).getTextContent()).contains("<&\">]]></title>\uD83D\uDE00", ", 0x00ff");
    }

    @Test
    void testOneRange()
            throws Exception
    {
        Document picture = picture("root", "small", "PRIMARY", 1000);
        assertThat(ranges(picture, "range")).hasSize(1);
        assertThat(texts(picture)).contains("level 0, root");
    }

    @Test
    void testPartitionsAndSecondaryIndexes()
            throws Exception
    {
        Document picture = picture("root", "parted", "PRIMARY", 8);
        for (String partition : List.of("p0", "p1", "p2")) {
            assertThat(texts(picture)).anyMatch(text -> text.startsWith("partition " + partition + ":"));
        }
        long rows = 0;
        for (String partition : List.of("p0", "p1", "p2")) {
            rows += sum(reply("parted", "PRIMARY", 8, "{\"leaf\": true, \"partition\": \"%s\"}".formatted(partition)).required("rows"));
        }
        assertThat(numbers(ranges(picture, "range"), "data-rows").stream().mapToLong(Long::longValue).sum()).isEqualTo(rows);
        assertThat(texts(picture("root", "t", "v", 8)).getFirst()).isEqualTo("s.t, index v (v DESC, id)");
    }

    @Test
    void testSizesAreHidden()
            throws Exception
    {
        Document picture = picture("half", "t", "PRIMARY", 16);
        assertThat(ranges(picture, "range")).hasSizeGreaterThan(10).noneMatch(range -> range.hasAttribute("data-rows"));
        assertThat(texts(picture)).anyMatch(text -> text.contains("SELECT the whole table"));
        assertThat(ranges(picture, "rows")).isEmpty();
    }

    private JsonNode reply(String table, String index, int degree, String options)
            throws Exception
    {
        return new ObjectMapper().readTree(mysql.values("SELECT mysql_pq_ranges('s', '%s', '%s', %d, '%s')".formatted(table.replace("'", "''"), index, degree, options)).getFirst());
    }

    private Document picture(String user, String table, String index, int degree)
            throws Exception
    {
        try (Connection connection = mysql.connect(user, "")) {
            String svg = RangesPicture.draw(connection, "s", table, index, degree);
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
        }
    }

    private static List<Element> ranges(Document picture, String kind)
    {
        return elements(picture, "rect").stream().filter(rectangle -> rectangle.getAttribute("class").equals(kind)).toList();
    }

    private static List<String> texts(Document picture)
    {
        return elements(picture, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> elements(Document picture, String name)
    {
        NodeList found = picture.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
    }

    private static List<Long> numbers(List<Element> ranges, String attribute)
    {
        return ranges.stream().map(range -> Long.parseLong(range.getAttribute(attribute))).toList();
    }

    private static List<Long> numbers(JsonNode estimates)
    {
        List<Long> numbers = new ArrayList<>();
        estimates.forEach(estimate -> numbers.add(estimate.longValue()));
        return numbers;
    }

    private static long sum(JsonNode estimates)
    {
        return numbers(estimates).stream().mapToLong(Long::longValue).sum();
    }

    private static double place(Element range, String attribute)
    {
        return Double.parseDouble(range.getAttribute(attribute));
    }
}
