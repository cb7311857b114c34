package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.rows.MappedColumn;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.IndexedRelation;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.handle.TableHandles.withExpression;
import static io.mysqlpq.trino.handle.TableHandles.withRelation;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/** Prepares the SQL of one split: its filters, its range, and the dynamic filters known when it opens. */
record ReadSql(ScanContext context, MysqlPqSplit split)
{
    ReadSql
    {
        requireNonNull(context, "context is null");
        requireNonNull(split, "split is null");
    }

    /** Rows of a table or of a pushed query, after the key if there is one. */
    PreparedStatement rows(Connection connection, JdbcTableHandle table, List<JdbcColumnHandle> columns, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeyBound> last)
            throws SQLException
    {
        JdbcTableHandle read = withRange(withDynamicFilter(connection, table, dynamicFilter), last);
        Optional<IndexKey> key = split.range().filter(SplitRange::hypergraphOptimizer).map(SplitRange::key);
        if (key.isEmpty() || last.isPresent() || !KeyLookups.areFew(key.get(), table.getConstraint().intersect(dynamicFilter))) {
            return context.client().buildSql(context.session(), connection, new JdbcSplit(Optional.empty()), read, columns);
        }
        return prepare(connection, select(connection, read, Optional.empty(), columns, ImmutableMap.of()).transformQuery(RangeHint::hinted), columns);
    }

    /** Rows of an aggregation, group after group. */
    PreparedStatement rowsInOrder(Connection connection, WholeGroupAggregation groups, Optional<KeyBound> last)
            throws SQLException
    {
        String order = split.range().orElseThrow().key().columns().stream()
                .limit(groups.leadingColumns())
                .map(column -> context.client().quoted(column.name()) + (column.descending() ? " DESC" : ""))
                .collect(joining(", "));
        PreparedQuery query = select(connection, withRange(groups.table(), last), Optional.empty(), groups.rowColumns(), ImmutableMap.of());
        return prepare(connection, query.transformQuery(sql -> sql + " ORDER BY " + order), groups.rowColumns());
    }

    /** Groups that lie in the range whole, and what was pushed down on top of them. */
    PreparedStatement wholeGroups(Connection connection, WholeGroupAggregation groups, JdbcTableHandle result, List<JdbcColumnHandle> columns, TupleDomain<ColumnHandle> dynamicFilter)
            throws SQLException
    {
        JdbcTableHandle ranged = withRange(groups.table(), Optional.empty());
        Optional<List<List<JdbcColumnHandle>>> groupingSets = Optional.of(ImmutableList.of(groups.groupBy()));
        JdbcTableHandle filtered = withDynamicFilter(connection, result, dynamicFilter);
        if (filtered.getConstraint().isAll() && filtered.getConstraintExpressions().isEmpty() && !columns.isEmpty()) {
            return prepare(connection, select(connection, ranged, groupingSets, columns, groups.expressions(columns)), columns);
        }
        PreparedQuery query = select(connection, ranged, groupingSets, groups.columns(), groups.expressions(groups.columns()));
        JdbcTableHandle read = withRelation(filtered, new JdbcQueryRelationHandle(query));
        return context.client().buildSql(context.session(), connection, new JdbcSplit(Optional.empty()), read, columns);
    }

    /** What MySQL computes of the range, in one row. */
    PreparedStatement partialTotals(Connection connection, PartialAggregation aggregation)
            throws SQLException
    {
        List<JdbcColumnHandle> columns = aggregation.partialColumns();
        JdbcTableHandle ranged = withRange(aggregation.table(), Optional.empty());
        return prepare(connection, select(connection, ranged, Optional.of(ImmutableList.of(ImmutableList.of())), columns, aggregation.partialExpressions()), columns);
    }

    /** Sends the statement, after the columns that it names and does not return were compared with the plan. The extension compares those of rows that it reads. */
    RowPages pages(List<JdbcColumnHandle> columns, Connection connection, PreparedStatement statement)
            throws SQLException
    {
        access().compareUnreturned(connection);
        return RowPages.of(statement.executeQuery(), mapped(columns, connection), context.packetDecoding());
    }

    /** Sends the statement, which returns columns behind those that are read, only to compare them. */
    RowPages comparedPages(List<JdbcColumnHandle> columns, List<JdbcColumnHandle> compared, Connection connection, PreparedStatement statement)
            throws SQLException
    {
        ResultSet rows = statement.executeQuery();
        ReceivedColumn.checkRead(rows, columns.size(), compared);
        return RowPages.of(rows, mapped(columns, connection), context.packetDecoding());
    }

    TableAccess access()
    {
        return new TableAccess(split.tables(), context.client()::quoted, context.client()::quoted, context::withComment);
    }

    // Makes the query as base-jdbc makes it for a table without limit and order.
    private PreparedQuery select(
            Connection connection,
            JdbcTableHandle table,
            Optional<List<List<JdbcColumnHandle>>> groupingSets,
            List<JdbcColumnHandle> columns,
            Map<String, ParameterizedExpression> expressions)
    {
        return context.queryBuilder().prepareSelectQuery(
                context.client(),
                context.session(),
                connection,
                table.getRelationHandle(),
                groupingSets,
                columns,
                expressions,
                table.getConstraint(),
                conjunction(table.getConstraintExpressions()));
    }

    private PreparedStatement prepare(Connection connection, PreparedQuery query, List<JdbcColumnHandle> columns)
            throws SQLException
    {
        return context.queryBuilder().prepareStatement(context.client(), context.session(), connection, query, Optional.of(columns.size()));
    }

    private JdbcTableHandle withDynamicFilter(Connection connection, JdbcTableHandle table, TupleDomain<ColumnHandle> dynamicFilter)
    {
        JdbcRelationHandle relation = table.getRelationHandle();
        return context.dynamicFilters().toSql(context.client(), context.session(), connection, relation, dynamicFilter)
                .map(filter -> withExpression(table, filter))
                .orElse(table);
    }

    private JdbcTableHandle withRange(JdbcTableHandle table, Optional<KeyBound> last)
    {
        Optional<ParameterizedExpression> range = split.range()
                .flatMap(read -> {
                    RangePredicate predicate = new RangePredicate(read.key(), context.client()::quoted);
                    return last.map(key -> predicate.after(key, read.range())).or(() -> predicate.toSql(read.range()));
                })
                .map(sql -> new ParameterizedExpression(sql, ImmutableList.of()));
        JdbcRelationHandle relation = split.range()
                .<JdbcRelationHandle>map(read -> new IndexedRelation(table.getRequiredNamedRelation(), read.partitions(), read.key().index()))
                .orElse(table.getRelationHandle());
        JdbcTableHandle ranged = withRelation(table, relation);
        return range.map(predicate -> withExpression(ranged, predicate)).orElse(ranged);
    }

    private static Optional<ParameterizedExpression> conjunction(List<ParameterizedExpression> expressions)
    {
        if (expressions.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ParameterizedExpression(
                expressions.stream().map(expression -> "(%s)".formatted(expression.expression())).collect(joining(" AND ")),
                expressions.stream().flatMap(expression -> expression.parameters().stream()).collect(toImmutableList())));
    }

    private List<MappedColumn> mapped(List<JdbcColumnHandle> columns, Connection connection)
    {
        return columns.stream()
                .map(column -> new MappedColumn(column.getColumnName(), column.getJdbcTypeHandle(), mapping(column, connection)))
                .collect(toImmutableList());
    }

    // A view of Trino is planned without the settings of the query's session, so its columns may have other types.
    private ColumnMapping mapping(JdbcColumnHandle column, Connection connection)
    {
        ColumnMapping mapping = context.client().toColumnMapping(context.session(), connection, column.getJdbcTypeHandle())
                .orElseThrow(() -> new TrinoException(GENERIC_INTERNAL_ERROR, "Column %s has the unsupported type %s".formatted(column.getColumnName(), column.getJdbcTypeHandle())));
        if (!mapping.getType().equals(column.getColumnType())) {
            throw new TrinoException(
                    NOT_SUPPORTED,
                    "Column %s was planned as type %s, and this session reads it as type %s. Trino plans a view without the session properties of the query. Reset the session properties that choose types, or set them in the catalog"
                            .formatted(column.getColumnName(), column.getColumnType(), mapping.getType()));
        }
        return mapping;
    }
}
