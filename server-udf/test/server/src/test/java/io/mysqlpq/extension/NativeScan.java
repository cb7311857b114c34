package io.mysqlpq.extension;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a range of a table natively, batch by batch, in a session that has adopted a snapshot and locked the table.
 *
 * @param table "schema.table"
 * @param options further members of the options, each followed by a comma: {@code "rows": 7, }
 */
record NativeScan(Session session, String token, String table, String index, List<ScanColumn> columns, String options)
{
    private static final int BATCHES_OF_STATEMENT = 50;

    NativeScan(Session session, String token, String table, List<ScanColumn> columns, String options)
    {
        this(session, token, table, "PRIMARY", columns, options);
    }

    /** Where a scan ended, and what it read. */
    record Scanned(List<List<String>> rows, String cursor, boolean stopped)
    {}

    static String sql(String table, String token, String options, int batches)
    {
        return sql(table, "PRIMARY", token, options, batches);
    }

    static String sql(String table, String index, String token, String options, int batches)
    {
        String[] names = table.split("\\.", 2);
        return "SELECT mysql_pq_scan('%s', '%s', '%s', '%s', '%s') FROM JSON_TABLE('[%s]', '$[*]' COLUMNS (i FOR ORDINALITY)) batches"
                .formatted(names[0], names[1], index, token, options, "0, ".repeat(batches - 1) + "0");
    }

    String options(String cursor)
    {
        return "{%s%s\"columns\": [%s]}".formatted(
                // Where the scan goes on takes the place of where it began.
                cursor == null ? options : options.replaceFirst("\"lower\": \\[[^]]*], ", ""),
                cursor == null ? "" : "\"after\": %s, ".formatted(cursor),
                columns.stream().map(ScanColumn::option).collect(joining(", ")));
    }

    /** Reads to the end of the range, or to a row that cannot be read natively, in as many statements as it takes. */
    Scanned read()
    {
        List<List<String>> rows = new ArrayList<>();
        String cursor = null;
        while (true) {
            List<ScanBatch> batches = batches(sql(table, index, token, options(cursor), BATCHES_OF_STATEMENT));
            assertThat(batches).isNotEmpty();
            long before = 0;
            for (int i = 0; i < batches.size(); i++) {
                ScanBatch batch = batches.get(i);
                assertThat(batch.number()).isEqualTo(i);
                assertThat(batch.rowsBefore()).isEqualTo(before);
                before += batch.rows();
                rows.addAll(rows(batch));
            }
            ScanBatch last = batches.getLast();
            cursor = last.cursor();
            if (last.end() == ScanBatch.RANGE_ENDED) {
                assertThat(cursor).isNull();
            }
            if (last.end() != ScanBatch.MORE) {
                return new Scanned(rows, cursor, last.end() == ScanBatch.STOPPED);
            }
        }
    }

    /** Reads as {@link #read()} does, but keeps and decodes no rows, so that it is the server and the transfer that take the time. */
    long count()
    {
        long rows = 0;
        String cursor = null;
        while (true) {
            ScanBatch last = null;
            try (Statement statement = session.connection().createStatement()) {
                // Makes the driver hand out rows as they come.
                statement.setFetchSize(Integer.MIN_VALUE);
                try (ResultSet result = statement.executeQuery(sql(table, index, token, options(cursor), BATCHES_OF_STATEMENT))) {
                    while (result.next()) {
                        byte[] batch = result.getBytes(1);
                        if (batch != null) {
                            last = ScanBatch.parseHeader(batch);
                            rows += last.rows();
                        }
                    }
                }
            }
            catch (SQLException e) {
                throw new AssertionError("Failed: a scan of %s with %s".formatted(table, options), e);
            }
            assertThat(last).isNotNull();
            assertThat(last.end()).isNotEqualTo(ScanBatch.STOPPED);
            if (last.end() == ScanBatch.RANGE_ENDED) {
                return rows;
            }
            cursor = last.cursor();
        }
    }

    List<ScanBatch> batches(String sql)
    {
        List<ScanBatch> batches = new ArrayList<>();
        try (Statement statement = session.connection().createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                byte[] batch = result.getBytes(1);
                if (batch != null) {
                    assertThat(batches).as("a batch after none").allMatch(ScanBatch::isFollowed);
                    batches.add(ScanBatch.parse(batch));
                }
            }
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: %s %s: %s".formatted(e.getErrorCode(), e.getMessage(), sql), e);
        }
        return batches;
    }

    private List<List<String>> rows(ScanBatch batch)
    {
        assertThat(batch.columns()).hasSameSizeAs(columns);
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            int at = row;
            rows.add(IntStream.range(0, columns.size()).mapToObj(column -> columns.get(column).text(batch.columns().get(column).get(at))).toList());
        }
        return rows;
    }

    /** The rows that MySQL gives, in the order of the primary key. */
    static List<List<String>> bySql(Session session, String table, List<ScanColumn> columns, String condition)
    {
        return rows(session, table + " FORCE INDEX (PRIMARY) " + condition, columns);
    }

    /** The rows that MySQL gives of a table without a primary key, in the order that InnoDB keeps them in. */
    static List<List<String>> bySqlByRowIds(Session session, String table, List<ScanColumn> columns)
    {
        return rows(session, table + " USE INDEX ()", columns);
    }

    private static List<List<String>> rows(Session session, String source, List<ScanColumn> columns)
    {
        String sql = "SELECT %s FROM %s".formatted(columns.isEmpty() ? "1" : columns.stream().map(ScanColumn::sql).collect(joining(", ")), source);
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = session.connection().createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 0; column < columns.size(); column++) {
                    row.add(columns.get(column).normalized(result.getString(column + 1)));
                }
                rows.add(row);
            }
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: " + sql, e);
        }
        return rows;
    }
}
