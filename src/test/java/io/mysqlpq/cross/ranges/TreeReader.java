package io.mysqlpq.cross.ranges;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks the extension for the ranges of an index, at each level of its tree that gives some.
 */
record TreeReader(Connection connection, String schema, String table, String index)
{
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One tree, or that of each partition, whose name it is found by. */
    List<Tree> read(int degree)
            throws SQLException
    {
        List<Tree> trees = new ArrayList<>();
        for (Optional<String> partition : partitions()) {
            trees.add(new Tree(partition, cuts(partition, degree)));
        }
        return trees;
    }

    private List<Optional<String>> partitions()
            throws SQLException
    {
        String sql = "SELECT coalesce(subpartition_name, partition_name) FROM information_schema.partitions WHERE table_schema = ? AND table_name = ? ORDER BY partition_ordinal_position, subpartition_ordinal_position";
        List<Optional<String>> partitions = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    partitions.add(Optional.ofNullable(rows.getString(1)));
                }
            }
        }
        // The extension says what is wrong with a table that is not there.
        return partitions.isEmpty() ? List.of(Optional.empty()) : List.copyOf(partitions);
    }

    // Fewer ranges come from higher levels. The cut into most ranges is kept for each level; the finest is the last.
    private List<TreeCut> cuts(Optional<String> partition, int degree)
            throws SQLException
    {
        Map<Integer, TreeCut> byLevel = new TreeMap<>();
        for (int count = degree; count >= 1; count /= 2) {
            TreeCut cut = cut(partition, count);
            if (count == degree || (count > 1 && cut.ranges().size() > 1 && byLevel.keySet().stream().allMatch(level -> cut.level() > level))) {
                byLevel.put(cut.level(), cut);
            }
        }
        return List.copyOf(byLevel.values()).reversed();
    }

    private TreeCut cut(Optional<String> partition, int count)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement("SELECT mysql_pq_ranges(?, ?, ?, ?, ?)")) {
            statement.setString(1, schema);
            statement.setString(2, table);
            statement.setString(3, index);
            statement.setInt(4, count);
            statement.setString(5, options(partition));
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return TreeCut.of(JSON.readTree(reply.getString(1)));
            }
        }
        catch (JsonProcessingException e) {
            throw new SQLException("The extension's reply is not JSON", e);
        }
    }

    private static String options(Optional<String> partition)
    {
        var options = JSON.createObjectNode().put("leaf", true);
        partition.ifPresent(name -> options.put("partition", name));
        return options.toString();
    }
}
