package io.mysqlpq.cross.ranges;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Draws one tree: its levels from the root to the leaves, each with the ranges that its node pointers give, and the rows of the finest ones as bars.
 *
 * <p>Ranges are as wide as their share of leaf pages, so what costs much to read looks large.
 */
record TreePanel(Svg svg, Tree tree, double top)
{
    static final int LEFT = 120;
    static final int WIDTH = 1040;
    private static final int STRIP = 30;
    private static final int GAP = 8;
    private static final int BARS = 110;
    private static final int FOOT = 36;
    private static final double LEAST_SHARE = 0.1;
    private static final double NARROWEST_LABEL = 52;
    private static final int KEY_CHARACTERS = 14;
    private static final double KEY_WIDTH = 100;
    private static final double MUCH = 1.5;
    // Colours that people who do not see red or green tell apart (Okabe and Ito, "Color Universal Design").
    private static final String COARSE = "#e5e5e5";
    private static final List<String> EVEN = List.of("#56b4e9", "#8fcdf1");
    private static final String LARGE = "#e69f00";

    int height()
    {
        return tree.height() * (STRIP + GAP) + (hasSizes() ? BARS : 0) + FOOT;
    }

    void draw()
    {
        double y = top;
        for (int level = tree.height() - 1; level >= 0; level--) {
            drawLevel(level, y);
            y += STRIP + GAP;
        }
        if (hasSizes()) {
            drawRows(y);
            y += BARS;
        }
        drawKeys(y);
    }

    // Where ranges begin, as many as there is room for.
    private void drawKeys(double y)
    {
        TreeCut cut = tree.finest();
        double[] places = places(cut);
        double free = LEFT;
        svg.text(LEFT - 10, y + 12, "text-anchor=\"end\" fill=\"#555555\" font-size=\"10\"", "begins at key");
        for (int i = 1; i < cut.ranges().size(); i++) {
            if (places[i] >= free) {
                svg.text(places[i], y + 12, "text-anchor=\"middle\" fill=\"#555555\" font-size=\"10\"", shortened(cut.ranges().get(i).lower().orElseThrow()));
                free = places[i] + KEY_WIDTH;
            }
        }
    }

    private static String shortened(String key)
    {
        return key.codePointCount(0, key.length()) <= KEY_CHARACTERS ? key : key.substring(0, key.offsetByCodePoints(0, KEY_CHARACTERS - 1)) + "…";
    }

    private boolean hasSizes()
    {
        return tree.finest().rows() > 0;
    }

    private void drawLevel(int level, double y)
    {
        svg.text(LEFT - 10, y + 13, "text-anchor=\"end\"", name(level));
        tree.cutAt(level).ifPresentOrElse(
                cut -> {
                    svg.text(LEFT - 10, y + 27, "text-anchor=\"end\" fill=\"#555555\" font-size=\"10\"", count(cut.ranges().size(), "range"));
                    drawRanges(cut, y);
                },
                () -> {
                    boolean isRead = level > tree.finest().level();
                    svg.text(LEFT - 10, y + 27, "text-anchor=\"end\" fill=\"#555555\" font-size=\"10\"", isRead ? "read" : "not read");
                    svg.rectangle(LEFT, y, WIDTH, STRIP, "fill=\"%s\" stroke=\"#bbbbbb\"".formatted(isRead ? COARSE : "white"), name(level));
                });
    }

    private String name(int level)
    {
        return "level " + level + (level == tree.height() - 1 ? ", root" : level == 0 ? ", leaves" : "");
    }

    private void drawRanges(TreeCut cut, double y)
    {
        boolean isFinest = cut.equals(tree.finest());
        double[] places = places(cut);
        for (int i = 0; i < cut.ranges().size(); i++) {
            DrawnRange range = cut.ranges().get(i);
            double width = places[i + 1] - places[i];
            svg.rectangle(places[i], y, width, STRIP, attributes(isFinest ? "range" : "coarse", range, isFinest ? colour(cut, i) : COARSE, width), title(cut, i));
            if (width >= NARROWEST_LABEL && range.rows().isPresent()) {
                svg.text(places[i] + width / 2, y + 13, "text-anchor=\"middle\" font-size=\"10\" pointer-events=\"none\"", shortNumber(range.rows().get()) + " rows");
                svg.text(places[i] + width / 2, y + 25, "text-anchor=\"middle\" font-size=\"10\" pointer-events=\"none\"", shortNumber(range.pages().orElse(0L)) + (range.pages().equals(Optional.of(1L)) ? " page" : " pages"));
            }
        }
    }

    private void drawRows(double y)
    {
        TreeCut cut = tree.finest();
        double[] places = places(cut);
        double most = cut.mostRows();
        double mean = (double) cut.rows() / cut.ranges().size();
        double bottom = y + BARS;
        for (int i = 0; i < cut.ranges().size(); i++) {
            DrawnRange range = cut.ranges().get(i);
            double height = range.rows().orElse(0L) / most * (BARS - 14);
            svg.rectangle(places[i], bottom - height, places[i + 1] - places[i], height, attributes("rows", range, colour(cut, i), places[i + 1] - places[i]), title(cut, i));
        }
        double meanY = bottom - mean / most * (BARS - 14);
        svg.dashes(LEFT, (double) LEFT + WIDTH, meanY);
        svg.text(LEFT - 10, meanY + 4, "text-anchor=\"end\"", "mean " + shortNumber(Math.round(mean)));
        svg.text(LEFT - 10, bottom - 2, "text-anchor=\"end\" fill=\"#555555\" font-size=\"10\"", "rows of each range");
    }

    // Where each range begins, and the last one ends. One without pages can be pointed at too.
    private double[] places(TreeCut cut)
    {
        int count = cut.ranges().size();
        double least = Math.max((double) cut.pages() / count, 1) * LEAST_SHARE;
        double[] places = new double[count + 1];
        for (int i = 0; i < count; i++) {
            places[i + 1] = places[i] + Math.max(cut.ranges().get(i).pages().orElse(0L), least);
        }
        double all = places[count];
        for (int i = 0; i <= count; i++) {
            places[i] = LEFT + places[i] / all * WIDTH;
        }
        return places;
    }

    private static String attributes(String kind, DrawnRange range, String colour, double width)
    {
        String sizes = range.rows().map(rows -> " data-rows=\"%d\" data-pages=\"%d\"".formatted(rows, range.pages().orElse(0L))).orElse("");
        return "class=\"%s\" fill=\"%s\"%s%s".formatted(kind, colour, width > 4 ? " stroke=\"white\"" : "", sizes);
    }

    private static String colour(TreeCut cut, int range)
    {
        double mean = (double) cut.rows() / cut.ranges().size();
        return cut.ranges().get(range).rows().orElse(0L) > mean * MUCH ? LARGE : EVEN.get(range % EVEN.size());
    }

    private String title(TreeCut cut, int number)
    {
        DrawnRange range = cut.ranges().get(number);
        String sizes = range.rows().map(rows -> String.format(Locale.ROOT, "%n%,d rows, %,d leaf pages (estimates)", rows, range.pages().orElse(0L))).orElse("");
        return String.format(Locale.ROOT, "range %,d of %,d, cut at level %d%n(%s)%nfrom %s%nto before %s%s", number + 1, cut.ranges().size(), cut.level(), cut.key(),
                range.lower().orElse("the beginning"), range.upper().orElse("the end"), sizes);
    }

    static String count(long number, String thing)
    {
        return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }

    private static String shortNumber(long number)
    {
        if (number < 10_000) {
            return String.format(Locale.ROOT, "%,d", number);
        }
        return number < 10_000_000 ? String.format(Locale.ROOT, "%,dk", number / 1_000) : String.format(Locale.ROOT, "%,dM", number / 1_000_000);
    }
}
