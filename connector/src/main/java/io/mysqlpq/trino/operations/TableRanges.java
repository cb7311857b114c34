package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.protocol.TreeReply;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.PartitionReader;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.mysqlpq.trino.server.TableKeyReader;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_PLANNING_FAILED;
import static io.mysqlpq.trino.key.IndexKey.ROW_IDS;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/** Lists the ranges into which the extension cuts a table. */
final class TableRanges
        implements OperationRows<OperationHandle.Ranges>
{
    static final List<ResultColumn> COLUMNS = ImmutableList.of(
            ResultColumn.text("partition_name"),
            ResultColumn.text("index_name"),
            ResultColumn.text("key_columns"),
            ResultColumn.number("range_number"),
            ResultColumn.text("lower_key"),
            ResultColumn.text("upper_key"),
            ResultColumn.number("rows_estimated"),
            ResultColumn.number("pages_estimated"),
            ResultColumn.number("tree_level"),
            ResultColumn.number("tree_height"));

    private static final int MOST_RANGES = 16_384;
    // MySQL makes the values of this key itself, and they tell nothing of the rows.
    private static final String GENERATED_KEY = "my_row_id";

    private final TableKeyReader tableKeys;
    private final PartitionReader partitions;
    private final ExtensionRanges extension;
    private final RemoteQueryModifier queryModifier;

    @Inject
    TableRanges(TableKeyReader tableKeys, PartitionReader partitions, ExtensionRanges extension, RemoteQueryModifier queryModifier)
    {
        this.tableKeys = requireNonNull(tableKeys, "tableKeys is null");
        this.partitions = requireNonNull(partitions, "partitions is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    @Override
    public List<ResultColumn> columns()
    {
        return COLUMNS;
    }

    @Override
    public List<List<Object>> rows(ConnectorSession session, Connection connection, OperationHandle.Ranges handle)
            throws SQLException
    {
        try {
            return ranges(session, connection, handle);
        }
        catch (ExtensionUnavailableException e) {
            throw new TrinoException(
                    MYSQL_PQ_EXTENSION_UNAVAILABLE,
                    "The extension gives no ranges for table %s: %s%s".formatted(handle.name(), e.getMessage(), hint(e.fallbackCause())),
                    e);
        }
    }

    @Override
    public TrinoException failure(OperationHandle.Ranges handle, SQLException cause)
    {
        return new TrinoException(MYSQL_PQ_PLANNING_FAILED, "Failed to find ranges of table %s: %s".formatted(handle.name(), ErrorHints.explain(cause, "planning-timeout")), cause);
    }

    // The message says all about the other causes: they are about this table or index.
    private static String hint(FallbackCause cause)
    {
        return switch (cause) {
            case NOT_INSTALLED, DISABLED, UNKNOWN_PROTOCOL, UNKNOWN_ENCODING, ACCESS_DENIED, LOCK_WAIT_TIMEOUT -> ". " + cause.hint();
            case REPLY_TOO_LARGE -> ". Ask for fewer ranges, or raise MySQL's max_allowed_packet";
            case UNSUPPORTED_KEY, TABLE_UNUSABLE, SNAPSHOT_REFUSED, SCAN_REFUSED, NO_INDEX -> "";
        };
    }

    private List<List<Object>> ranges(ConnectorSession session, Connection connection, OperationHandle.Ranges handle)
            throws SQLException, ExtensionUnavailableException
    {
        // The caller may have installed the extension just now. This comes before the dictionary, which a server without the extension has too.
        extension.forget();
        extension.checkAvailable(connection);
        TableKey key = tableKeys.read(session, connection, handle.name());
        String index = handle.index().orElseGet(() -> key.clustered().map(TableIndex::name).orElse(ROW_IDS));
        RangesRequest request = new RangesRequest(handle.schema(), handle.table(), index, handle.degree(), KeyRange.all());
        ReadableKeys readable = new ReadableKeys(connection, sql -> queryModifier.apply(session, sql));
        List<Optional<String>> trees = trees(session, connection, handle, key.shape());
        checkSize(handle, trees.size());
        List<List<Object>> rows = new ArrayList<>();
        for (Optional<String> partition : trees) {
            RangesRequest ofTree = partition.map(name -> request.ofPartition(name, handle.degree())).orElse(request);
            TreeReply tree = extension.askOfTree(session, connection, ofTree);
            checkColumns(handle, tree.ranges());
            append(rows, partition, tree, readable);
        }
        return rows;
    }

    // They are held in memory until Trino takes them.
    private static void checkSize(OperationHandle.Ranges handle, int trees)
    {
        if ((long) trees * handle.degree() > MOST_RANGES) {
            throw new TrinoException(
                    INVALID_FUNCTION_ARGUMENT,
                    "Table %s has %s partitions, and DEGREE asks for %s ranges of each. At most %s ranges are shown. Lower DEGREE".formatted(handle.name(), trees, handle.degree(), MOST_RANGES));
        }
    }

    // No rule of Trino was asked about a column that Trino has no type for, or that was added since.
    private static void checkColumns(OperationHandle.Ranges handle, RangesReply reply)
    {
        if (reply.key().index().equals(ROW_IDS)) {
            return;
        }
        for (KeyColumn column : reply.key().columns()) {
            if (!column.name().equals(GENERATED_KEY) && !handle.columns().contains(column.name())) {
                throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "The ranges of table %s cannot be shown, because Trino does not have its key column %s. Name an index of other columns in INDEX_NAME".formatted(handle.name(), column.name()));
            }
        }
    }

    private List<Optional<String>> trees(ConnectorSession session, Connection connection, OperationHandle.Ranges handle, Shape shape)
            throws SQLException
    {
        return shape == Shape.PARTITIONED_TABLE
                ? partitions.read(session, connection, handle.schema(), handle.table()).stream().map(partition -> Optional.of(partition.name())).collect(toImmutableList())
                : ImmutableList.of(Optional.empty());
    }

    private static void append(List<List<Object>> rows, Optional<String> partition, TreeReply tree, ReadableKeys readable)
            throws SQLException
    {
        RangesReply reply = tree.ranges();
        String keyColumns = reply.key().columns().stream().map(KeyColumn::name).collect(joining(", "));
        List<String> boundaries = readable.of(reply.key(), reply.boundaries());
        for (int range = 0; range <= boundaries.size(); range++) {
            List<Object> row = new ArrayList<>();
            row.add(partition.orElse(null));
            row.add(reply.key().index());
            row.add(keyColumns);
            row.add(range + 1L);
            row.add(range == 0 ? null : boundaries.get(range - 1));
            row.add(range == boundaries.size() ? null : boundaries.get(range));
            row.add(estimate(reply.rows(), range));
            row.add(estimate(tree.pages(), range));
            row.add((long) tree.level());
            row.add(number(tree.height()));
            rows.add(row);
        }
    }

    private static Long estimate(Optional<List<Long>> estimates, int range)
    {
        return estimates.map(all -> all.get(range)).orElse(null);
    }

    private static Long number(OptionalInt number)
    {
        return number.isPresent() ? (long) number.getAsInt() : null;
    }
}
