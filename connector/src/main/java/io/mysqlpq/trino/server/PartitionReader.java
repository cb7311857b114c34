package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** Reads the names of a table's partitions, or of their subpartitions, from MySQL's dictionary. */
public final class PartitionReader
{
    private static final String SQL = """
            SELECT coalesce(subpartition_name, partition_name), concat_ws('_', partition_name, subpartition_name)
            FROM information_schema.partitions
            WHERE table_schema = ? AND table_name = ? AND partition_name IS NOT NULL
            ORDER BY partition_ordinal_position, subpartition_ordinal_position""";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public PartitionReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Reads the names in MySQL's order. Empty if the table no longer has partitions. */
    public List<Partition> read(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            ImmutableList.Builder<Partition> partitions = ImmutableList.builder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    partitions.add(new Partition(rows.getString(1), rows.getString(2)));
                }
            }
            return partitions.build();
        }
    }

    /**
     * A partition, or a subpartition where there are some.
     *
     * @param name by which a statement selects it
     * @param explainedName by which EXPLAIN lists it
     */
    public record Partition(String name, String explainedName)
    {
        public Partition
        {
            requireNonNull(name, "name is null");
            requireNonNull(explainedName, "explainedName is null");
        }
    }
}
