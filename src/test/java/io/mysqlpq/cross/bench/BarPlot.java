package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.Locale;

import static java.lang.Math.ceilDiv;

/**
 * Draws a group of horizontal bars for each query as SVG, one bar and colour for each side.
 *
 * <p>Queries take from milliseconds to many seconds. Bars are therefore to scale within a group only, and each bar has its figure.
 *
 * @param sides names, in the order of bars
 */
record BarPlot(String title, String subtitle, List<String> sides, List<BarGroup> groups)
{
    // Colours that people who do not see red or green tell apart (Okabe and Ito, "Color Universal Design").
    private static final List<String> COLOURS = List.of("#999999", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#f0e442");
    private static final int COLUMNS = 3;
    private static final int COLUMN_WIDTH = 400;
    private static final int MARGIN = 20;
    private static final int HEAD_HEIGHT = 100;
    private static final int LEGEND_STEP = 170;
    private static final int LABEL_WIDTH = 110;
    private static final int LONGEST_BAR = 200;
    private static final int BAR_HEIGHT = 13;
    private static final int GROUP_GAP = 14;

    BarPlot
    {
        sides = List.copyOf(sides);
        groups = List.copyOf(groups);
    }

    static BarPlot of(String title, String subtitle, List<List<Figures>> queries)
    {
        return new BarPlot(
                title,
                subtitle,
                queries.stream().flatMap(List::stream).map(Figures::side).distinct().toList(),
                queries.stream().map(BarGroup::of).toList());
    }

    String svg()
    {
        int rows = ceilDiv(groups.size(), COLUMNS);
        int width = COLUMNS * COLUMN_WIDTH + 2 * MARGIN;
        int height = HEAD_HEIGHT + rows * groupHeight() + MARGIN;
        StringBuilder svg = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"11\">%n".formatted(width, height));
        svg.append("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n".formatted(width, height));
        svg.append("<text x=\"%d\" y=\"30\" font-size=\"18\">%s</text>%n".formatted(MARGIN, escaped(title)));
        svg.append("<text x=\"%d\" y=\"50\" fill=\"#555555\">%s</text>%n".formatted(MARGIN, escaped(subtitle)));
        addLegend(svg);
        for (int group = 0; group < groups.size(); group++) {
            addGroup(svg, groups.get(group), MARGIN + group / rows * COLUMN_WIDTH, HEAD_HEIGHT + group % rows * groupHeight());
        }
        return svg.append("</svg>\n").toString();
    }

    private int groupHeight()
    {
        return sides.size() * BAR_HEIGHT + GROUP_GAP;
    }

    private void addLegend(StringBuilder svg)
    {
        for (int side = 0; side < sides.size(); side++) {
            int x = MARGIN + side * LEGEND_STEP;
            addBar(svg, x, 68, 14, colour(side));
            svg.append("<text x=\"%d\" y=\"78\">%s</text>%n".formatted(x + 20, escaped(sides.get(side))));
        }
    }

    private void addGroup(StringBuilder svg, BarGroup group, int x, int y)
    {
        svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-weight=\"bold\">%s</text>%n".formatted(x + LABEL_WIDTH - 8, y + sides.size() * BAR_HEIGHT / 2 + 4, escaped(group.name())));
        for (int side = 0; side < sides.size(); side++) {
            Double seconds = group.seconds().get(sides.get(side));
            int top = y + side * BAR_HEIGHT;
            if (seconds != null) {
                double length = seconds / group.longest() * LONGEST_BAR;
                addBar(svg, x + LABEL_WIDTH, top, length, colour(side));
                svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>%n", x + LABEL_WIDTH + length + 4, top + 10, label(seconds)));
            }
        }
    }

    private static void addBar(StringBuilder svg, double x, int y, double length, String colour)
    {
        svg.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n", x, y, length, BAR_HEIGHT - 2, colour));
    }

    private static String label(double seconds)
    {
        return String.format(Locale.ROOT, seconds < 0.1 ? "%.3f s" : "%.2f s", seconds);
    }

    private static String colour(int side)
    {
        return COLOURS.get(side % COLOURS.size());
    }

    private static String escaped(String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
