package io.mysqlpq.trino.client;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.mysqlpq.trino.pushdown.ComparedText;
import io.mysqlpq.trino.pushdown.GroupedText;
import io.mysqlpq.trino.pushdown.TextPredicateSql;
import io.mysqlpq.trino.scan.DynamicFilterSql;
import io.mysqlpq.trino.split.IndexedRelation;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.DefaultQueryBuilder;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import static com.google.common.base.Verify.verify;
import static java.util.stream.Collectors.joining;

/**
 * Writes statements that read a range only by the index that it was planned on, and that have MySQL compare text as Trino does.
 *
 * <p>Another index may be slower, and wrong: by an index on a prefix of a text column MySQL loses rows where one character equals several
 * (ß and ss), because it cuts the bound to the prefix too.
 */
public final class MysqlPqQueryBuilder
        extends DefaultQueryBuilder
        implements DynamicFilterSql
{
    private static final String SELECT = "SELECT ";

    @Inject
    MysqlPqQueryBuilder(RemoteQueryModifier queryModifier)
    {
        super(queryModifier);
    }

    @Override
    public PreparedQuery prepareSelectQuery(
            JdbcClient client,
            ConnectorSession session,
            Connection connection,
            JdbcRelationHandle baseRelation,
            Optional<List<List<JdbcColumnHandle>>> groupingSets,
            List<JdbcColumnHandle> columns,
            Map<String, ParameterizedExpression> columnExpressions,
            TupleDomain<ColumnHandle> tupleDomain,
            Optional<ParameterizedExpression> additionalPredicate)
    {
        TupleDomain<ColumnHandle> filter = columnsOf(baseRelation, tupleDomain);
        GroupedText grouped = GroupedText.of(groupingSets);
        // base-jdbc takes no filter on a column that it selects as an expression.
        Optional<ParameterizedExpression> textFilter = conjuncts(client, session, connection, filter.filter((column, _) -> grouped.contains(column)));
        boolean distinct = areGroups(columns, groupingSets);
        PreparedQuery query = super.prepareSelectQuery(
                client,
                session,
                connection,
                baseRelation,
                distinct ? Optional.empty() : groupingSets,
                columns,
                grouped.addTo(columnExpressions, client::quoted),
                filter.filter((column, _) -> !grouped.contains(column)),
                and(textFilter, additionalPredicate));
        return distinct ? query.transformQuery(MysqlPqQueryBuilder::distinct) : query;
    }

    private static boolean areGroups(List<JdbcColumnHandle> columns, Optional<List<List<JdbcColumnHandle>>> groupingSets)
    {
        return !columns.isEmpty() && groupingSets.filter(sets -> sets.size() == 1 && ImmutableSet.copyOf(sets.getFirst()).equals(ImmutableSet.copyOf(columns))).isPresent();
    }

    // With a limit MySQL stops at the last value that it allows, which GROUP BY does not.
    private static String distinct(String sql)
    {
        verify(sql.startsWith(SELECT), "not a SELECT: %s", sql);
        return SELECT + "DISTINCT " + sql.substring(SELECT.length());
    }

    @Override
    public Optional<ParameterizedExpression> toSql(JdbcClient client, ConnectorSession session, Connection connection, JdbcRelationHandle relation, TupleDomain<ColumnHandle> filter)
    {
        return conjuncts(client, session, connection, columnsOf(relation, filter));
    }

    private static TupleDomain<ColumnHandle> columnsOf(JdbcRelationHandle relation, TupleDomain<ColumnHandle> filter)
    {
        return relation instanceof JdbcNamedRelationHandle ? filter : filter.transformKeys(MysqlPqQueryBuilder::derived);
    }

    // The column that it is derived from may have another collation.
    private static ColumnHandle derived(ColumnHandle handle)
    {
        JdbcColumnHandle column = (JdbcColumnHandle) handle;
        return ComparedText.hasExactCollation(column) ? column : JdbcColumnHandle.builderFrom(column).setJdbcTypeHandle(TextCollation.removeFrom(column.getJdbcTypeHandle())).build();
    }

    private Optional<ParameterizedExpression> conjuncts(JdbcClient client, ConnectorSession session, Connection connection, TupleDomain<ColumnHandle> filter)
    {
        ImmutableList.Builder<String> conjuncts = ImmutableList.builder();
        ImmutableList.Builder<QueryParameter> parameters = ImmutableList.builder();
        toConjuncts(client, session, connection, filter, conjuncts, parameters::add);
        String sql = String.join(" AND ", conjuncts.build());
        return sql.isEmpty() ? Optional.empty() : Optional.of(new ParameterizedExpression(sql, parameters.build()));
    }

    private static Optional<ParameterizedExpression> and(Optional<ParameterizedExpression> first, Optional<ParameterizedExpression> second)
    {
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        return Optional.of(new ParameterizedExpression(
                "%s AND %s".formatted(first.get().expression(), second.get().expression()),
                ImmutableList.<QueryParameter>builder().addAll(first.get().parameters()).addAll(second.get().parameters()).build()));
    }

    @Override
    protected String getGroupBy(JdbcClient client, Optional<List<List<JdbcColumnHandle>>> groupingSets)
    {
        // MySQL has no GROUPING SETS, so there is one.
        return GroupedText.of(groupingSets).columns().isEmpty()
                ? super.getGroupBy(client, groupingSets)
                : groupingSets.orElseThrow().getFirst().stream()
                        .map(column -> ComparedText.groupable(client.quoted(column.getColumnName()), column))
                        .collect(joining(", ", " GROUP BY ", ""));
    }

    @Override
    protected String toPredicate(JdbcClient client, ConnectorSession session, Connection connection, JdbcColumnHandle column, ValueSet values, Consumer<QueryParameter> accumulator)
    {
        if (!TextCollation.isText(column) || !values.getType().equals(column.getColumnType())) {
            return super.toPredicate(client, session, connection, column, values, accumulator);
        }
        ParameterizedExpression predicate = new TextPredicateSql(client.quoted(column.getColumnName()), column).toSql(values);
        predicate.parameters().forEach(accumulator);
        return predicate.expression();
    }

    @Override
    protected String getFrom(JdbcClient client, JdbcRelationHandle baseRelation, Consumer<QueryParameter> accumulator)
    {
        String from = super.getFrom(client, baseRelation, accumulator);
        return baseRelation instanceof IndexedRelation indexed
                ? "%s%s FORCE INDEX (%s)".formatted(from, partitions(client, indexed), client.quoted(indexed.index()))
                : from;
    }

    // Where rows are found by their key, the domain stands for a value to come and has another type than the column.
    @Override
    protected Domain pushDownDomain(JdbcClient client, ConnectorSession session, Connection connection, JdbcColumnHandle column, Domain domain)
    {
        return domain.getType().equals(column.getColumnType()) ? super.pushDownDomain(client, session, connection, column, domain) : domain;
    }

    private static String partitions(JdbcClient client, IndexedRelation relation)
    {
        return relation.partitions().isEmpty() ? "" : relation.partitions().stream().map(client::quoted).collect(joining(", ", " PARTITION (", ")"));
    }
}
