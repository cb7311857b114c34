package io.mysqlpq.trino.rows;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Reads the column batches of a statement, and closes it. */
public final class NativeBatches
        implements AutoCloseable
{
    private final PreparedStatement statement;
    private final BatchRows batches;

    private NativeBatches(PreparedStatement statement, BatchRows batches)
    {
        this.statement = requireNonNull(statement, "statement is null");
        this.batches = requireNonNull(batches, "batches is null");
    }

    /**
     * Executes the statement and waits for its first batch, with which the extension says whether it reads the table at all.
     *
     * @return empty if batches cannot be read past the driver
     */
    public static Optional<NativeBatches> of(PreparedStatement statement, int columns)
            throws SQLException
    {
        boolean opened = false;
        try {
            Optional<BatchRows> batches = BatchRows.of(statement.executeQuery(), columns);
            if (batches.isPresent()) {
                batches.get().readFirst();
            }
            opened = batches.isPresent();
            return batches.map(read -> new NativeBatches(statement, read));
        }
        finally {
            if (!opened) {
                statement.close();
            }
        }
    }

    /** Good until the next one is read. Empty after the statement's last. */
    Optional<ColumnBatch> next()
            throws SQLException
    {
        return batches.next();
    }

    /** Reads what is left of the statement, which others can follow then. */
    void drain()
            throws SQLException
    {
        while (batches.next().isPresent()) {
            // Batches after one with an unusual cell are read again by SQL.
        }
        close();
    }

    @Override
    public void close()
            throws SQLException
    {
        statement.close();
    }

    long retainedBytes()
    {
        return batches.retainedBytes();
    }
}
