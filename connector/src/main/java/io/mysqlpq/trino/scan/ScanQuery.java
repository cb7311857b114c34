package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.MergedAggregation;
import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static io.mysqlpq.trino.handle.TableHandles.withoutFirst;
import static java.util.Objects.requireNonNull;

/** Joins the plan of one read with the fence between planning and reading. */
final class ScanQuery
{
    private final ScanContext context;
    private final ReadPlan plan;
    private final TableAccess access;
    private final Optional<ReadFence> fence;

    private ScanQuery(ReadSql sql, ReadPlan plan)
    {
        this.context = sql.context();
        this.plan = requireNonNull(plan, "plan is null");
        this.access = sql.access();
        this.fence = plan instanceof SqlRows rows && rows.compared().isPresent() ? Optional.empty() : fence(sql);
    }

    /** Reads rows of a table or of a pushed query. */
    static ScanQuery rows(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        ReadSql sql = new ReadSql(context, split);
        return new ScanQuery(sql, rows(sql, table, columns));
    }

    private static ReadPlan rows(ReadSql sql, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        MysqlPqSplit split = sql.split();
        if (RowIdRange.is(split)) {
            RowIdRange range = new RowIdRange(split, columns);
            return new RowIdRows(NativeScan.of(sql.context(), split, table, columns, range), range);
        }
        // SQL does not know all filters: the first rows of it could be none that pass.
        SqlRows rows = SqlRows.of(sql, split.expressions().where().isEmpty() ? table : withoutFirst(table), columns);
        return NativeScan.of(sql.context(), split, table, columns, rows).<ReadPlan>map(scan -> new NativeRows(scan, rows)).orElse(rows);
    }

    /** Reads the groups of a range that lie in it whole, and what was pushed down on top of them. */
    static ScanQuery wholeGroups(ScanContext context, MysqlPqSplit split, WholeGroupAggregation groups, JdbcTableHandle result, List<JdbcColumnHandle> columns)
    {
        ReadSql sql = new ReadSql(context, split);
        return new ScanQuery(sql, WholeGroups.of(sql, groups, result, columns));
    }

    /** Reads the groups of a range, to be merged with those of others. */
    static ScanQuery groups(ScanContext context, MysqlPqSplit split, MergedAggregation aggregation)
    {
        ReadSql sql = new ReadSql(context, split);
        return new ScanQuery(sql, switch (aggregation) {
            case PartialAggregation partial -> new PartialTotals(sql, partial);
            case NativeAggregation natively -> {
                ReadPlan rows = rows(sql, natively.table(), natively.table().getColumns().orElseThrow());
                yield new NativeGroups(context, split, natively, GroupsRequest.of(context, split, natively, scan(rows)), rows);
            }
        });
    }

    private static Optional<NativeScan> scan(ReadPlan rows)
    {
        return switch (rows) {
            case NativeRows natively -> Optional.of(natively.scan());
            case RowIdRows natively -> natively.scan();
            default -> Optional.empty();
        };
    }

    // A read without a snapshot and without a range is one statement. It needs a fence only if columns are to be compared before it.
    private static Optional<ReadFence> fence(ReadSql sql)
    {
        MysqlPqSplit split = sql.split();
        TableAccess access = sql.access();
        return split.snapshot().<ReadFence>map(token -> new SnapshotFence(token, access, sql.context().waitTimeout()))
                .or(() -> split.range().map(read -> DictionaryKey.isDefinition(read.definition()) ? new DictionaryFence(read, access) : new DefinitionFence(read, access)))
                .or(() -> access.hasUnreturnedColumns() ? Optional.of(new StatementFence(access)) : Optional.empty());
    }

    List<JdbcColumnHandle> columns()
    {
        return plan.columns();
    }

    Optional<ReadFence> fence()
    {
        return fence;
    }

    /** Explains MySQL's error in the reader's words, if others have caused it by what they do to the tables. */
    Optional<TrinoException> explain(SQLException error)
    {
        return fence.isPresent() ? fence.get().explain(error) : access.explain(error);
    }

    /** Names what is read, for messages. */
    String tableNames()
    {
        return access.names();
    }

    /**
     * Sends the query.
     *
     * @param known what an earlier query read of the same, or nothing; empty if the read is not to be kept
     * @param refusals told why the extension does not read the rows itself, if it was asked to
     */
    RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        return plan.open(connection, dynamicFilter, known, refusals);
    }

    String withComment(String sql)
    {
        return context.withComment(sql);
    }
}
