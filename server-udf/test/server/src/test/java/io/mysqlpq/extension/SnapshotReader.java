package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

/**
 * Holds a session that has locked tables and adopted the snapshot of another.
 */
record SnapshotReader(Session donor, Session session, String token)
        implements AutoCloseable
{
    static SnapshotReader open(MysqlServer server, String... tables)
    {
        return open(new Session(server), new Session(server), tables);
    }

    /** Opens a reader over two sessions of one account, which it closes. */
    static SnapshotReader open(Session donor, Session session, String... tables)
    {
        SnapshotReader reader = new SnapshotReader(donor, session, "");
        try {
            return new SnapshotReader(donor, session, reader.share(tables));
        }
        catch (AssertionError e) {
            // Their locks would stop whoever comes next.
            reader.close();
            throw e;
        }
    }

    private String share(String... tables)
    {
        for (Session one : new Session[] {donor, session}) {
            one.execute("SET time_zone = '+00:00'", "START TRANSACTION READ ONLY");
            for (String table : tables) {
                one.execute("SELECT 1 FROM %s LIMIT 0".formatted(table));
            }
        }
        String exported = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
        session.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(exported));
        return exported;
    }

    NativeScan scan(String table, String options)
    {
        return new NativeScan(session, token, table, ScanColumn.of(session, table), options);
    }

    NativeScan scanByRowIds(String table, String options)
    {
        return new NativeScan(session, token, table, "GEN_CLUST_INDEX", ScanColumn.of(session, table), options);
    }

    @Override
    public void close()
    {
        session.close();
        donor.close();
    }
}
