package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.WrongAnswer;

import java.util.HexFormat;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds what a native scan of a range gave, to ask later whether it would give that again.
 *
 * @param validator null if the scan gave none
 */
record KeptScan(MysqlServer server, String table, String options, String validator, List<List<Object>> rows)
{
    private static final int MOST_BATCHES = 2000;
    private static final int SLOW_BATCHES = 10;

    /** Scans in a snapshot of its own. */
    static KeptScan scan(MysqlServer server, String table, String options)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            return scan(server, reader, table, options);
        }
    }

    /** The same with a pause behind each batch, of which there must be few. */
    static KeptScan scanSlowly(MysqlServer server, String table, String options)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, table)) {
            String sql = sql(NativeScan.sql(table, reader.token(), options, SLOW_BATCHES), "").replace(") FROM", "), SLEEP(0.003) FROM");
            return of(server, reader, table, options, read(reader, table, sql));
        }
    }

    static KeptScan scan(MysqlServer server, SnapshotReader reader, String table, String options)
    {
        return of(server, reader, table, options, ask(reader, table, options, ""));
    }

    private static KeptScan of(MysqlServer server, SnapshotReader reader, String table, String options, List<ScanBatch> batches)
    {
        assertThat(batches.getLast().end()).isEqualTo(ScanBatch.RANGE_ENDED);
        reader.session().value("SELECT mysql_pq_snapshot_verify('%s')".formatted(reader.token()));
        return new KeptScan(server, table, options, batches.getLast().validator(), rows(batches));
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
        assertThat(validator).as("validator").isNotNull();
        List<ScanBatch> batches = ask(reader, table, options, validator);
        boolean isUnchanged = batches.getFirst().end() == ScanBatch.UNCHANGED;
        List<List<Object>> scanned = isUnchanged ? rows(ask(reader, table, options, null)) : rows(batches);
        if (isUnchanged) {
            assertThat(batches).hasSize(1);
            assertThat(batches.getFirst().rows()).isZero();
            WrongAnswer.unless(() -> assertThat(scanned).as("rows of what is said to be unchanged").isEqualTo(rows));
        }
        else {
            WrongAnswer.unless(() -> assertThat(scanned).as("rows of a conditional scan").isEqualTo(rows(ask(reader, table, options, null))));
        }
        return isUnchanged;
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

    // Text as numbers, since arrays are equal only to themselves.
    private static List<List<Object>> rows(List<ScanBatch> batches)
    {
        return batches.stream().flatMap(batch -> batch.cellsOfRows().stream()).map(KeptScan::comparable).toList();
    }

    private static List<Object> comparable(List<Object> row)
    {
        return row.stream().<Object>map(cell -> cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(cell)).toList();
    }
}
