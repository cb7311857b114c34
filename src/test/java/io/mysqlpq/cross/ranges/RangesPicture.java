package io.mysqlpq.cross.ranges;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Draws the ranges of a table's B+tree as SVG: {@code ./pq ranges}.
 */
public final class RangesPicture
{
    private static final int WIDTH = 1200;
    private static final int HEAD = 76;
    private static final int PARTITION_HEAD = 22;
    private static final Set<Integer> NOT_INSTALLED = Set.of(1305, 1046, 1370);

    private RangesPicture()
    {}

    /** Arguments: number of ranges, JDBC URL, user, table with its schema, index. The password is in the environment. */
    public static void main(String[] arguments)
    {
        String[] table = arguments[3].split("\\.", 2);
        if (table.length != 2) {
            fail("the table needs its schema, such as shop.orders, not: " + arguments[3]);
        }
        Properties account = new Properties();
        account.setProperty("user", arguments[2]);
        account.setProperty("password", System.getenv().getOrDefault("PQ_PASSWORD", ""));
        account.setProperty("connectTimeout", "10000");
        account.setProperty("socketTimeout", "60000");
        account.setProperty("sessionVariables", "lock_wait_timeout=1");
        try (Connection connection = DriverManager.getConnection(arguments[1], account)) {
            String picture = draw(connection, table[0], table[1], arguments[4], Integer.parseInt(arguments[0]));
            new PrintStream(System.out, true, UTF_8).print(picture);
        }
        catch (SQLException e) {
            fail(NOT_INSTALLED.contains(e.getErrorCode()) ? "this MySQL has not the extension mysql_pq: " + e.getMessage() : e.getMessage());
        }
    }

    private static void fail(String message)
    {
        System.err.println("pq: " + message);
        System.exit(1);
    }

    static String draw(Connection connection, String schema, String table, String index, int degree)
            throws SQLException
    {
        List<Tree> trees = new TreeReader(connection, schema, table, index).read(degree);
        Svg svg = new Svg();
        svg.text(20, 30, "font-size=\"18\"", "%s.%s, index %s (%s)".formatted(schema, table, index, trees.getFirst().finest().key()));
        svg.text(20, 52, "fill=\"#555555\"", summary(trees));
        int y = HEAD;
        for (Tree tree : trees) {
            if (tree.partition().isPresent()) {
                svg.text(20, y + 10, "font-weight=\"bold\"", "partition %s: %s".formatted(tree.partition().get(), TreePanel.count(tree.finest().ranges().size(), "range")));
                y += PARTITION_HEAD;
            }
            TreePanel panel = new TreePanel(svg, tree, y);
            panel.draw();
            y += panel.height();
        }
        return svg.picture(WIDTH, y);
    }

    private static String summary(List<Tree> trees)
    {
        long ranges = trees.stream().mapToLong(tree -> tree.finest().ranges().size()).sum();
        long rows = trees.stream().mapToLong(tree -> tree.finest().rows()).sum();
        long pages = trees.stream().mapToLong(tree -> tree.finest().pages()).sum();
        if (trees.stream().anyMatch(tree -> tree.finest().height().isEmpty())) {
            return TreePanel.count(ranges, "range") + "; sizes are shown to users who may SELECT the whole table";
        }
        long most = trees.stream().mapToLong(tree -> tree.finest().mostRows()).max().orElseThrow();
        return String.format(Locale.ROOT, "%s, %s on %s by estimate; the largest range has %.2f times the mean's rows. As wide as its pages; orange: more than 1.5 times the mean's rows",
                TreePanel.count(ranges, "range"), TreePanel.count(rows, "row"), TreePanel.count(pages, "leaf page"), rows == 0 ? 1.0 : (double) most * ranges / rows);
    }
}
