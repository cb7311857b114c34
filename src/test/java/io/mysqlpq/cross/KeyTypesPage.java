package io.mysqlpq.cross;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.keys.KeyCase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes the table of docs/key-types.md from what the tests saw; -Dpq.docs.write=true puts it into the page.
 */
final class KeyTypesPage
{
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "key-types.md");
    private static final String BEGIN = "<!-- written by TestKeyCases; to write it again, run it with -Dpq.docs.write=true: DEVELOPMENT.md -->\n";
    private static final String END = "<!-- end -->\n";

    private KeyTypesPage()
    {}

    static String line(MysqlServer mysql, KeyCase key, long splits)
    {
        List<String> columns = new ArrayList<>();
        boolean listed = false;
        for (JsonNode column : columns(mysql)) {
            boolean isListed = column.has("listed_up_to");
            columns.add("`%s`".formatted(column.required("encoding").textValue()));
            listed |= isListed && columns.size() == 1;
        }
        // The column that numbers the rows ends each key of these tables, unless MySQL generated it.
        List<String> own = columns.size() > 1 ? columns.subList(0, columns.size() - 1) : columns;
        return "| %s | %s | %s |".formatted(key.title(), String.join(", ", own), reading(key, splits, listed));
    }

    private static String reading(KeyCase key, long splits, boolean listed)
    {
        if (splits == 1) {
            return "one split";
        }
        if (key.options().startsWith("PARTITION")) {
            return "ranges of each partition; small ones share a split";
        }
        return listed ? "ranges, by lists of values" : "ranges";
    }

    private static JsonNode columns(MysqlServer mysql)
    {
        try {
            String options = MysqlRows.read(mysql, "SELECT coalesce(subpartition_name, partition_name) FROM information_schema.partitions WHERE table_schema = 's' AND table_name = 't'").stream()
                    .filter(partition -> !partition.equals("null"))
                    .findFirst()
                    .map("'{\"partition\": \"%s\"}'"::formatted)
                    .orElse("NULL");
            String reply = MysqlRows.read(mysql, "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 2, %s)".formatted(options)).getFirst();
            return new ObjectMapper().readTree(reply.replace("||", "|")).required("columns");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void check(List<String> lines)
    {
        String table = "| key | encoding | read by |\n|---|---|---|\n" + String.join("\n", lines) + "\n";
        try {
            String page = Files.readString(PAGE);
            String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
            String after = page.substring(page.indexOf(END));
            if (Boolean.getBoolean("pq.docs.write")) {
                Files.writeString(PAGE, before + table + after);
                return;
            }
            assertThat(page).as("docs/key-types.md; the comment before its table says how to write it again").isEqualTo(before + table + after);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
