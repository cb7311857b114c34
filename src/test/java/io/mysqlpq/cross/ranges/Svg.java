package io.mysqlpq.cross.ranges;

import java.util.Locale;

/** Writes elements of SVG, whatever characters their texts have. */
final class Svg
{
    private final StringBuilder elements = new StringBuilder();

    /** @param attributes further ones, written as they stand */
    void rectangle(double x, double y, double width, double height, String attributes, String title)
    {
        line(String.format(Locale.ROOT, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s><title>%s</title></rect>", x, y, width, height, attributes, escaped(title)));
    }

    /** @param attributes further ones, written as they stand */
    void text(double x, double y, String attributes, String text)
    {
        line(String.format(Locale.ROOT, "<text x=\"%.2f\" y=\"%.2f\" %s>%s</text>", x, y, attributes, escaped(text)));
    }

    void dashes(double fromX, double toX, double y)
    {
        line(String.format(Locale.ROOT, "<path d=\"M%.2f %.2fH%.2f\" stroke=\"#555555\" stroke-dasharray=\"4 3\"/>", fromX, y, toX));
    }

    String picture(int width, int height)
    {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n%3$s</svg>%n".formatted(width, height, elements);
    }

    private void line(String element)
    {
        elements.append(element).append('\n');
    }

    /** XML has no way to write most control characters. */
    static String escaped(String text)
    {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.append(isXml(character) ? Character.toString(character) : "\\u%04x".formatted(character));
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int character)
    {
        return (character >= 0x20 && character <= 0xD7FF) || (character >= 0xE000 && character <= 0xFFFD) || character >= 0x10000;
    }
}
