package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.testing.MysqlServer;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

import static java.util.stream.Collectors.joining;

/** Holds rows as sorted text, with numbers to four decimals: all that TPC-H's prices have, and less than a double's last digit. */
record ChartRows(List<String> rows)
{
    private static final int DECIMALS = 4;

    ChartRows
    {
        rows = rows.stream().sorted().toList();
    }

    static ChartRows of(List<JsonNode> rows)
    {
        return new ChartRows(rows.stream().map(row -> row.valueStream().map(ChartRows::text).collect(joining(" | "))).toList());
    }

    static ChartRows inMysql(MysqlServer mysql, String sql)
    {
        return new ChartRows(MysqlRows.read(mysql, sql).stream()
                .map(row -> Arrays.stream(row.split(" \\| ", -1)).map(cell -> cell.matches("-?\\d+(\\.\\d+)?") ? number(new BigDecimal(cell)) : cell).collect(joining(" | ")))
                .toList());
    }

    private static String text(JsonNode cell)
    {
        return cell.isNumber() ? number(cell.decimalValue()) : cell.asText();
    }

    private static String number(BigDecimal number)
    {
        return number.setScale(DECIMALS, RoundingMode.HALF_UP).toPlainString();
    }
}
