import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Scanner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.datediff;

/**
 * Reads queries by Spark's JDBC source in partitions: a JSON line in, a JSON line out, until the input ends.
 *
 * <p>In: {"sql": ..., "key": column to cut by, "partitions": ..., "digest": whether to sum up all columns too}. Out: {"rows": ..., "sums":
 * [of numbers, of days since 1970, of the lengths of texts]} or {"error": ...}.
 */
public final class SparkReader
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SparkSession spark = SparkSession.builder()
            .master("local[*]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.log.level", "ERROR")
            .getOrCreate();

    public static void main(String[] arguments)
            throws Exception
    {
        PrintStream replies = System.out;
        // What libraries print is no reply.
        System.setOut(System.err);
        SparkReader reader = new SparkReader();
        try (Scanner requests = new Scanner(System.in, UTF_8)) {
            while (requests.hasNextLine()) {
                replies.println(JSON.writeValueAsString(reader.reply(requests.nextLine())));
                replies.flush();
            }
        }
    }

    private Map<String, Object> reply(String request)
    {
        try {
            JsonNode wanted = JSON.readTree(request);
            Dataset<Row> rows = rows(wanted);
            return wanted.get("digest").asBoolean() ? sums(rows) : Map.of("rows", readAll(rows), "sums", List.of());
        }
        catch (Exception e) {
            return Map.of("error", String.valueOf(e));
        }
    }

    private Dataset<Row> rows(JsonNode wanted)
    {
        String table = "(%s) AS scan".formatted(wanted.get("sql").asText());
        String key = wanted.get("key").asText();
        Properties login = new Properties();
        login.setProperty("user", "root");
        login.setProperty("password", System.getenv("PQ_MYSQL_PASSWORD"));
        // Without this the driver keeps all rows of a partition before Spark sees the first.
        login.setProperty("fetchsize", String.valueOf(Integer.MIN_VALUE));
        String url = System.getenv("PQ_MYSQL_URL");
        Row ends = spark.read().jdbc(url, "(SELECT min(%1$s) AS low, max(%1$s) AS high FROM %2$s) AS ends".formatted(key, table), login).first();
        return spark.read().jdbc(url, table, key, ends.getLong(0), ends.getLong(1), wanted.get("partitions").asInt(), login);
    }

    // Writes all columns nowhere: a count alone would read none.
    private static long readAll(Dataset<Row> rows)
            throws InterruptedException
    {
        Observation counts = new Observation();
        rows.observe(counts, count(lit(1)).as("rows")).write().format("noop").mode("overwrite").save();
        return (long) counts.getAsJava().get("rows");
    }

    private static Map<String, Object> sums(Dataset<Row> rows)
    {
        List<Column> sums = new ArrayList<>();
        for (StructField field : rows.schema().fields()) {
            sums.add(sum(number(field)));
        }
        Row answer = rows.agg(count(lit(1)), sums.toArray(Column[]::new)).first();
        List<Double> found = new ArrayList<>();
        for (int column = 1; column < answer.size(); column++) {
            found.add(answer.getDouble(column));
        }
        return Map.of("rows", answer.getLong(0), "sums", found);
    }

    private static Column number(StructField field)
    {
        Column column = col(field.name());
        if (field.dataType().equals(DataTypes.StringType)) {
            column = length(column);
        }
        else if (field.dataType().equals(DataTypes.DateType)) {
            column = datediff(column, to_date(lit("1970-01-01")));
        }
        return column.cast(DataTypes.DoubleType);
    }
}
