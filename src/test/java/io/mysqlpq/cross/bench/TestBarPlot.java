package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TestBarPlot
{
    private static final BarPlot PLOT = new BarPlot(
            "TPC-H <fast> & fair",
            "2 x CPU",
            List.of("stock", "ranges", "ConnectorX"),
            List.of(
                    new BarGroup("Q1", Map.of("stock", 8.0, "ranges", 2.0)),
                    new BarGroup("all", Map.of("stock", 0.5, "ranges", 0.05, "ConnectorX", 0.25))));

    @Test
    void testBarsAreToScaleWithinGroup()
            throws Exception
    {
        List<Element> bars = elements("rect");
        // The background, three of the legend, then the bars; ConnectorX has none in Q1.
        assertThat(bars.stream().skip(4).map(bar -> bar.getAttribute("width"))).containsExactly("200.0", "50.0", "200.0", "20.0", "100.0");
    }

    @Test
    void testBarsHaveTheColourOfTheirSide()
            throws Exception
    {
        List<String> colours = elements("rect").stream().skip(1).map(bar -> bar.getAttribute("fill")).toList();
        assertThat(colours.subList(0, 3)).doesNotHaveDuplicates();
        assertThat(colours.subList(3, 5)).isEqualTo(colours.subList(0, 2));
        assertThat(colours.subList(5, 8)).isEqualTo(colours.subList(0, 3));
    }

    @Test
    void testTexts()
            throws Exception
    {
        assertThat(elements("text")).extracting(Element::getTextContent)
                .containsExactly("TPC-H <fast> & fair", "2 x CPU", "stock", "ranges", "ConnectorX", "Q1", "8.00 s", "2.00 s", "all", "0.50 s", "0.050 s", "0.25 s");
    }

    private static List<Element> elements(String name)
            throws ParserConfigurationException, SAXException, IOException
    {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(PLOT.svg().getBytes(UTF_8)));
        NodeList nodes = document.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength()).mapToObj(node -> (Element) nodes.item(node)).toList();
    }
}
