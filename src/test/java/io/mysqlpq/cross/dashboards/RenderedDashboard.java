package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.testing.Await;

import java.time.Duration;
import java.util.List;

/**
 * Tells what a browser shows of a dashboard.
 *
 * @param charts how many there are
 * @param loading what still waits for data
 * @param bare the titles of charts without a drawing, number or table
 * @param errors the texts of error banners
 */
record RenderedDashboard(int charts, int loading, List<String> bare, List<String> errors)
{
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String LOOK = """
            (() => {
                const all = selector => [...document.querySelectorAll(selector)];
                const charts = all('.dashboard-component-chart-holder');
                const shows = chart => chart.querySelector('.slice_container canvas, .slice_container .header-line, .slice_container tbody td') !== null;
                return {
                    charts: charts.length,
                    loading: all('.loading').length,
                    bare: charts.filter(chart => !shows(chart)).map(chart => chart.innerText.split('\\n')[0]),
                    errors: all('.ant-alert-error, [role=alert]').map(alert => alert.innerText)
                };
            })()""";

    /** Waits until nothing loads any more. */
    static RenderedDashboard await(ChromiumPage page, String url, int charts)
    {
        page.navigate(url);
        Await.until("all charts of " + url, TIMEOUT, Duration.ofMillis(500), () -> {
            RenderedDashboard shown = look(page);
            return shown.charts == charts && shown.loading == 0 && (shown.bare.isEmpty() || settled(page));
        });
        return look(page);
    }

    // A chart whose answer has come is drawn within moments, or says that there is none.
    private static boolean settled(ChromiumPage page)
    {
        return page.evaluate("""
                new Promise(done => setTimeout(() => done(true), 3000))""").asBoolean() && look(page).loading == 0;
    }

    private static RenderedDashboard look(ChromiumPage page)
    {
        JsonNode seen = page.evaluate(LOOK);
        return new RenderedDashboard(seen.path("charts").asInt(), seen.path("loading").asInt(), texts(seen.path("bare")), texts(seen.path("errors")));
    }

    private static List<String> texts(JsonNode array)
    {
        return array.valueStream().map(JsonNode::asText).toList();
    }
}
