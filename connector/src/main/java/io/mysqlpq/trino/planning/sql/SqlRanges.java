package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.dictionary.DictionaryKeyReader;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.server.QuotedNames;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static java.util.Objects.requireNonNull;

/** Plans ranges of an index by plain SQL, at a cost that does not grow with the table. */
public final class SqlRanges
{
    private static final Logger log = Logger.get(SqlRanges.class);

    private final RemoteQueryModifier queryModifier;
    private final SqlRangesConfig config;
    private final Ticker ticker;
    private final KeptPlans kept;

    @Inject
    public SqlRanges(RemoteQueryModifier queryModifier, SqlRangesConfig config, Ticker ticker)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.config = requireNonNull(config, "config is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.kept = new KeptPlans(config.getSqlRangesTtl(), ticker);
    }

    /** Plans ranges. Empty if MySQL reads no ranges by the key's first column, or the key is gone. */
    public Optional<SqlPlan> plan(ConnectorSession session, Connection connection, SqlRangesRequest request)
            throws SQLException
    {
        UnaryOperator<String> queryComment = sql -> queryModifier.apply(session, sql);
        Optional<DictionaryKey> found = DictionaryKeyReader.read(connection, queryComment, request.schema(), request.table(), request.index());
        Optional<IndexKey> key = found.flatMap(DictionaryKey::readByRange);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        String definition = found.get().definition();
        KeptPlans.Key question = new KeptPlans.Key(session.getUser(), definition, request);
        Optional<SqlPlan> known = kept.get(question);
        if (known.isPresent()) {
            return known;
        }
        StatementBudget budget = new StatementBudget(config, ticker);
        String table = quoted(request.schema()) + "." + quoted(request.table());
        KeyStatements statements = new KeyStatements(connection, queryComment, table, key.get(), QuotedNames::quoted, budget);
        List<EstimatedRange> ranges = new RangeSearch(statements, key.get(), budget, request).run();
        log.debug("Query %s: %s ranges of table %s.%s by %s statements", session.getQueryId(), ranges.size(), request.schema(), request.table(), budget.spent());
        SqlPlan plan = new SqlPlan(key.get(), definition, ranges);
        kept.put(question, plan);
        return Optional.of(plan);
    }

    /** Makes all ranges be found anew. */
    public void forget()
    {
        kept.clear();
    }
}
