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
        return open(server, new Session(server), tables);
    }

    static SnapshotReader open(MysqlServer server, Session session, String... tables)
    {
        Session donor = new Session(server);
        donor.execute("SET time_zone = '+00:00'", "START TRANSACTION READ ONLY");
        session.execute("SET time_zone = '+00:00'", "START TRANSACTION READ ONLY");
        for (String table : tables) {
            donor.execute("DO (SELECT 1 FROM %s LIMIT 0)".formatted(table));
            session.execute("SELECT 1 FROM %s LIMIT 0".formatted(table));
        }
        String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
        session.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
        return new SnapshotReader(donor, session, token);
    }

    NativeScan scan(String table, String options)
    {
        return new NativeScan(session, token, table, ScanColumn.of(session, table), options);
    }

    @Override
    public void close()
    {
        session.close();
        donor.close();
    }
}
