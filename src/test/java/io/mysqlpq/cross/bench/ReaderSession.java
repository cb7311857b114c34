package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.cross.running.RunningServers;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs queries by a reader in a process of its own.
 */
record ReaderSession(ReaderProcess process, RunningServers servers)
        implements SideSession
{
    @Override
    public Answer answer(BenchQuery query)
    {
        JsonNode reply = process.read(query.mysqlSql(), true);
        List<Object> row = new ArrayList<>(List.of(reply.get("rows").asLong()));
        reply.get("sums").forEach(sum -> row.add(sum.asDouble()));
        return new Answer(ColumnSums.labels(row.size()), List.of(row));
    }

    // Its columns are in another program, where Trino's checksums of all cells would take long. Sums tell what was lost, doubled or misread too.
    @Override
    public void check(BenchQuery query, Answer expected)
            throws SQLException
    {
        query.check(answer(query), ColumnSums.inMysql(servers, query));
        query.checkRowCount(process.read(query.mysqlSql(), false).get("rows").asLong(), expected);
    }

    @Override
    public double seconds(BenchQuery query, Answer expected)
    {
        long started = System.nanoTime();
        long rows = process.read(query.mysqlSql(), false).get("rows").asLong();
        double seconds = (System.nanoTime() - started) / 1e9;
        query.checkRowCount(rows, expected);
        return seconds;
    }

    @Override
    public void close()
    {
        process.close();
    }
}
