package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.WrongAnswer;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds what a native scan of a range gave, to ask later whether it would give that again.
 *
 * @param pieceRows after how many rows a piece ends; 0 if the range is one piece
 * @param pieces in the order of the range
 */
record KeptScan(MysqlServer server, String table, String options, int pieceRows, List<Piece> pieces)
{
    private static final int MOST_BATCHES = 2000;
    private static final int SLOW_BATCHES = 10;
    private static final int FIRST_ROWS = 5;
    /** Options for the first rows by the second column. */
    static final String FIRST = "\"first\": {\"rows\": %s, \"order\": [[[\"column\", \"v\"], \"descending\", \"nulls_last\"], [[\"column\", \"k\"], \"ascending\", \"nulls_last\"]]}, \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]".formatted(FIRST_ROWS);

    /**
     * A part of the range.
     *
     * @param validator null if the scan gave none
     * @param end null if the piece is the last one
     */
    record Piece(String validator, String end, List<List<Object>> rows)
    {
        private String written()
        {
            return "[\"%s\", %s]".formatted(validator == null ? "" : validator, end);
        }
    }

    /**
     * What a scan says that is told what was kept.
     *
     * @param unchanged pieces that it calls unchanged
     */
    record Answer(KeptScan now, int unchanged)
    {}

    /** Creates the table s.t of 10,000 rows, whose keys are the multiples of 10. It has some hundred leaves. The server lets a recursion be as deep. */
    static void createTable(MysqlServer server)
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(300) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 10000) SELECT i * 10, i % 100, REPEAT('t', 100 + i % 100) FROM s");
    }

    /** Scans in a snapshot of its own. */
    static KeptScan scan(MysqlServer server, String table, String options)
    {
        return scan(server, table, options, 0);
    }

    static KeptScan scan(MysqlServer server, String table, String options, int pieceRows)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            return nothing(server, table, options, pieceRows).scan(reader);
        }
    }

    /** The same with a pause behind each batch, of which there must be few. */
    static KeptScan scanSlowly(MysqlServer server, String table, String options, int pieceRows)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            KeptScan nothing = nothing(server, table, options, pieceRows);
            String sql = sql(NativeScan.sql(table, reader.token(), options, SLOW_BATCHES), nothing.argument()).replace(") FROM", "), SLEEP(0.003) FROM");
            return nothing.answer(reader, read(reader, table, sql)).now();
        }
    }

    static KeptScan scan(MysqlServer server, SnapshotReader reader, String table, String options)
    {
        return nothing(server, table, options, 0).scan(reader);
    }

    private static KeptScan nothing(MysqlServer server, String table, String options, int pieceRows)
    {
        return new KeptScan(server, table, options, pieceRows, List.of());
    }

    private KeptScan scan(SnapshotReader reader)
    {
        return answer(reader, ask(reader, table, options, argument())).now();
    }

    /** The same pieces, said to be of something else. */
    KeptScan of(String otherTable, String otherOptions)
    {
        return new KeptScan(server, otherTable, otherOptions, pieceRows, pieces);
    }

    /** The same range, with another validator. */
    KeptScan validatedBy(String other)
    {
        return new KeptScan(server, table, options, pieceRows, List.of(new Piece(other, null, rows())));
    }

    /** Of the range, or null if it has none. */
    String validator()
    {
        return pieces.getLast().validator();
    }

    boolean hasValidator()
    {
        return pieces.stream().anyMatch(piece -> piece.validator() != null);
    }

    /** Asks in a new snapshot. What the server takes for unchanged is compared with what it scans. */
    boolean isUnchanged()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            return isUnchangedFor(reader);
        }
    }

    boolean isUnchangedFor(SnapshotReader reader)
    {
        return askFor(reader).unchanged() == pieces.size();
    }

    /** Asks in a new snapshot, with the same comparison. */
    Answer ask()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            return askFor(reader);
        }
    }

    Answer askFor(SnapshotReader reader)
    {
        assertThat(hasValidator()).isTrue();
        Answer answer = answer(reader, ask(reader, table, options, argument()));
        List<List<Object>> scanned = merged(rows(ask(reader, table, options, null)));
        WrongAnswer.unless(() -> assertThat(answer.now().rows()).as("rows of a conditional scan, of which %s pieces are called unchanged", answer.unchanged()).isEqualTo(scanned));
        return answer;
    }

    /** What the scan is given as its validator, knowing these pieces. */
    String argument()
    {
        if (pieceRows == 0) {
            return pieces.isEmpty() ? "" : validator();
        }
        return argument(pieceRows, pieces, null);
    }

    static String argument(int pieceRows, List<Piece> pieces, String after)
    {
        return "{\"piece_rows\": %s%s, \"pieces\": [%s]}".formatted(pieceRows, after == null ? "" : ", \"after\": " + after, pieces.stream().map(Piece::written).collect(joining(", ")));
    }

    private Answer answer(SnapshotReader reader, List<ScanBatch> batches)
    {
        List<Piece> now = new ArrayList<>();
        int known = 0;
        int unchanged = 0;
        List<ScanBatch> batchesOfPiece = new ArrayList<>();
        for (ScanBatch batch : batches) {
            now.addAll(pieces.subList(known, known + batch.unchanged()));
            known += batch.unchanged();
            unchanged += batch.unchanged();
            batchesOfPiece.add(batch);
            if (batch.end() == ScanBatch.UNCHANGED) {
                assertThat(batch.rows()).isZero();
                assertThat(known).isEqualTo(pieces.size());
            }
            else if (pieceRows > 0 || batch.end() == ScanBatch.RANGE_ENDED) {
                now.add(new Piece(batch.validator(), batch.cursor(), rows(batchesOfPiece)));
                batchesOfPiece.clear();
            }
            else {
                assertThat(batch.validator()).isNull();
            }
            if (batch.end() == ScanBatch.PIECE_ENDED) {
                assertThat(batch.cursor()).isEqualTo(pieces.get(known).end());
                known++;
            }
        }
        assertThat(batches.getLast().end()).isIn(ScanBatch.RANGE_ENDED, ScanBatch.UNCHANGED);
        assertThat(now.getLast().end()).isNull();
        reader.session().value("SELECT mysql_pq_snapshot_verify('%s')".formatted(reader.token()));
        return new Answer(new KeptScan(server, table, options, pieceRows, now), unchanged);
    }

    /** @param validator null if none is wanted */
    static String sql(SnapshotReader reader, String table, String options, String validator)
    {
        return sql(NativeScan.sql(table, reader.token(), options, MOST_BATCHES), validator);
    }

    private static String sql(String withoutValidator, String validator)
    {
        return validator == null ? withoutValidator : withoutValidator.replace("}') FROM", "}', '%s') FROM".formatted(validator));
    }

    private static List<ScanBatch> ask(SnapshotReader reader, String table, String options, String validator)
    {
        return read(reader, table, sql(reader, table, options, validator));
    }

    private static List<ScanBatch> read(SnapshotReader reader, String table, String sql)
    {
        return new NativeScan(reader.session(), reader.token(), table, List.of(), "").batches(sql);
    }

    /** All rows, or all groups, of the range. */
    List<List<Object>> rows()
    {
        return merged(pieces.stream().flatMap(piece -> piece.rows().stream()).toList());
    }

    // Groups of pieces: of a number its count, a sum and a maximum. Of the first rows of each piece, those with the greatest second column, and then
    // the least first one.
    private List<List<Object>> merged(List<List<Object>> rows)
    {
        if (options.contains("\"first\"")) {
            return rows.stream()
                    .sorted(Comparator.comparing((List<Object> row) -> number(row, 1)).reversed().thenComparing(row -> number(row, 0)))
                    .limit(FIRST_ROWS)
                    .toList();
        }
        if (!options.contains("\"aggregate\"")) {
            return rows;
        }
        TreeMap<String, List<Object>> groups = new TreeMap<>();
        rows.forEach(row -> groups.merge((String) row.getFirst(), row, KeptScan::merge));
        return List.copyOf(groups.values());
    }

    private static List<Object> merge(List<Object> left, List<Object> right)
    {
        return List.of(left.get(0), number(left, 1).add(number(right, 1)).toString(), number(left, 2).add(number(right, 2)).toString(), number(left, 3).max(number(right, 3)).toString());
    }

    private static BigInteger number(List<Object> row, int column)
    {
        return new BigInteger((String) row.get(column));
    }

    // Text as numbers, since arrays are equal only to themselves.
    static List<List<Object>> rows(List<ScanBatch> batches)
    {
        return batches.stream().flatMap(batch -> batch.cellsOfRows().stream()).map(KeptScan::comparable).toList();
    }

    private static List<Object> comparable(List<Object> row)
    {
        return row.stream().<Object>map(cell -> cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(cell)).toList();
    }
}
