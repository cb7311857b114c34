package io.mysqlpq.trino;

import com.google.inject.Inject;
import io.mysqlpq.trino.split.IndexedRelation;
import io.trino.plugin.jdbc.DefaultQueryBuilder;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;

import java.sql.Connection;
import java.util.function.Consumer;

import static java.util.stream.Collectors.joining;

/**
 * Reads a range by no other index than the one it was planned on.
 *
 * <p>Another one may be slower, and wrong: by an index on a prefix of a text column MySQL loses rows where a
 * character equals several (ß and ss), because it cuts the bound to the prefix too.
 */
final class MysqlPqQueryBuilder
        extends DefaultQueryBuilder
{
    @Inject
    MysqlPqQueryBuilder(RemoteQueryModifier queryModifier)
    {
        super(queryModifier);
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
