package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.plugin.jdbc.BaseJdbcConnectorTest;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.spi.type.VarcharType;
import io.trino.sql.query.QueryAssertions;
import io.trino.sql.query.QueryAssertions.QueryAssert;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorBehavior;
import io.trino.testing.sql.SqlExecutor;
import io.trino.testing.sql.TestTable;
import org.assertj.core.api.AssertProvider;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

import static io.trino.plugin.tpch.TpchMetadata.TINY_SCHEMA_NAME;
import static io.trino.testing.MaterializedResult.resultBuilder;
import static io.trino.testing.QueryAssertions.copyTpchTables;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Runs Trino's own suite for JDBC connectors, with its tables read by ranges: also those of a few rows, by several. */
class TestMysqlPqConnectorTest
        extends BaseJdbcConnectorTest
{
    // MySQL's limit for the names of databases, tables and columns.
    private static final int MAX_NAME_LENGTH = 64;

    private static final ScopedValue<Boolean> ROWS_IN_ANY_ORDER = ScopedValue.newInstance();

    private MysqlServer mysql;

    /** Whether the server has the extension. */
    boolean hasExtension()
    {
        return true;
    }

    /** How the suite's tables are read. */
    Map<String, String> readProperties()
    {
        return ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "2", "max-ranges-per-scan", "8");
    }

    /** Two at least are asked for by the suite. */
    int workers()
    {
        return 2;
    }

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        mysql = closeAfterClass(MysqlServer.builder().extension(hasExtension()).start());
        mysql.execute("CREATE DATABASE tpch");
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("tpch").build()).setWorkerCount(workers()).build();
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch", ImmutableMap.of());
        runner.installPlugin(new MysqlPqPlugin());
        runner.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("connection-user", "root")
                // With this the suite sees pushed aggregations, and other scans are native.
                .put("aggregation-parallelism", "1")
                .putAll(readProperties())
                .buildOrThrow());
        copyTpchTables(runner, "tpch", TINY_SCHEMA_NAME, REQUIRED_TPCH_TABLES);
        mysql.execute(
                "ALTER TABLE tpch.orders ADD PRIMARY KEY (orderkey)",
                "ALTER TABLE tpch.customer ADD PRIMARY KEY (custkey)");
        addKeysOfTinyTables();
        return runner;
    }

    private void addKeysOfTinyTables()
    {
        mysql.execute("ALTER TABLE tpch.nation ADD PRIMARY KEY (nationkey)", "ALTER TABLE tpch.region ADD PRIMARY KEY (regionkey)");
    }

    // It takes these columns for such that may be NULL.
    @SuppressWarnings("JUnitMethodInvoked") // what a test of the suite needs, around it
    @Test
    @Override
    public void testBulkColumnListingOptions()
    {
        mysql.execute(
                "ALTER TABLE tpch.nation DROP PRIMARY KEY, MODIFY nationkey BIGINT",
                "ALTER TABLE tpch.region DROP PRIMARY KEY, MODIFY regionkey BIGINT");
        try {
            super.testBulkColumnListingOptions();
        }
        finally {
            addKeysOfTinyTables();
        }
    }

    @Override
    protected boolean hasBehavior(TestingConnectorBehavior connectorBehavior)
    {
        return switch (connectorBehavior) {
            // Where Trino's sum overflows MySQL's has more digits.
            case SUPPORTS_PREDICATE_ARITHMETIC_EXPRESSION_PUSHDOWN -> false;
            case SUPPORTS_JOIN_PUSHDOWN -> true;
            // MySQL has none of these.
            case SUPPORTS_JOIN_PUSHDOWN_WITH_FULL_JOIN,
                    SUPPORTS_AGGREGATION_PUSHDOWN_CORRELATION,
                    SUPPORTS_AGGREGATION_PUSHDOWN_COVARIANCE,
                    SUPPORTS_AGGREGATION_PUSHDOWN_REGRESSION ->
                false;
            case SUPPORTS_AGGREGATION_PUSHDOWN_STDDEV,
                    SUPPORTS_AGGREGATION_PUSHDOWN_VARIANCE,
                    SUPPORTS_AGGREGATION_PUSHDOWN_COUNT_DISTINCT,
                    SUPPORTS_JOIN_PUSHDOWN_WITH_VARCHAR_EQUALITY,
                    SUPPORTS_JOIN_PUSHDOWN_WITH_VARCHAR_INEQUALITY,
                    SUPPORTS_PREDICATE_EXPRESSION_PUSHDOWN_WITH_LIKE,
                    SUPPORTS_PREDICATE_PUSHDOWN_WITH_VARCHAR_EQUALITY,
                    SUPPORTS_PREDICATE_PUSHDOWN_WITH_VARCHAR_INEQUALITY,
                    SUPPORTS_TOPN_PUSHDOWN_WITH_VARCHAR ->
                true;
            // As the stock connector.
            case SUPPORTS_ARRAY,
                    SUPPORTS_COMMENT_ON_COLUMN,
                    SUPPORTS_DROP_NOT_NULL_CONSTRAINT,
                    SUPPORTS_MAP_TYPE,
                    SUPPORTS_NEGATIVE_DATE,
                    SUPPORTS_RENAME_SCHEMA,
                    SUPPORTS_ROW_TYPE,
                    SUPPORTS_SET_COLUMN_TYPE ->
                false;
            default -> super.hasBehavior(connectorBehavior);
        };
    }

    // By its cost a join of such small tables would depend on statistics.
    @Override
    protected Session joinPushdownEnabled(Session session)
    {
        return Session.builder(super.joinPushdownEnabled(session))
                .setCatalogSessionProperty(session.getCatalog().orElseThrow(), "join_pushdown_strategy", "EAGER")
                .build();
    }

    // Some of its joins have 75,000 rows, and AssertJ looks for each of them among all others. In the same order it finds each at once.
    @Test
    @Override
    public void testJoinPushdown()
    {
        ScopedValue.where(ROWS_IN_ANY_ORDER, true).run(super::testJoinPushdown);
    }

    // The suite changes a million rows. A tenth of them still fills many batches of each writer, and here every row is compared.
    @Test
    @Override
    public void testMergeLarge()
    {
        String orders = "tpch.\"sf0.1\".orders";
        String table = "merged_" + randomNameSuffix();
        createTableForWrites("CREATE TABLE %s (orderkey BIGINT, totalprice DOUBLE)", table, Optional.of("orderkey"));
        assertUpdate("INSERT INTO %s SELECT orderkey, totalprice FROM %s".formatted(table, orders), 150_000);
        assertUpdate(
                """
                MERGE INTO %s t USING %s o ON t.orderkey = o.orderkey
                WHEN MATCHED AND o.orderkey %% 3 = 0 THEN UPDATE SET totalprice = 3 * t.totalprice - o.totalprice
                WHEN MATCHED AND o.orderkey %% 3 = 1 THEN DELETE""".formatted(table, orders),
                (long) computeScalar("SELECT count(*) FROM %s WHERE orderkey %% 3 < 2".formatted(orders)));
        String merged = "SELECT orderkey, totalprice FROM " + table;
        String expected = "SELECT orderkey, if(orderkey %% 3 = 0, 3 * totalprice - totalprice, totalprice) FROM %s WHERE orderkey %% 3 <> 1".formatted(orders);
        assertThat(query("SELECT count(*) FROM " + table)).matches("SELECT count(*) FROM (%s)".formatted(expected));
        assertThat(query("%s EXCEPT %s".formatted(merged, expected))).returnsEmptyResult();
        assertUpdate("DROP TABLE " + table);
    }

    @Override
    protected AssertProvider<QueryAssert> query(Session session, String sql)
    {
        return ROWS_IN_ANY_ORDER.orElse(false) ? new QueryAssertions(SortedRows.of(getQueryRunner())).query(session, sql) : super.query(session, sql);
    }

    @Override
    protected SqlExecutor onRemoteDatabase()
    {
        return mysql::execute;
    }

    @Test
    void testTablesAreReadByRanges()
    {
        for (String table : List.of("orders", "customer", "nation", "region")) {
            assertThat((String) computeScalar("EXPLAIN SELECT * FROM " + table)).contains("read=[ranges of index PRIMARY from EXTENSION, natively]");
            assertThat((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT * FROM " + table)).containsPattern("rangesPlanned.*\\{total=[2-8]\\}");
        }
    }

    // VARCHAR(n) becomes a TEXT type, as the stock connector does it.
    @Override
    protected MaterializedResult getDescribeOrdersResult()
    {
        return resultBuilder(getSession(), VarcharType.VARCHAR, VarcharType.VARCHAR, VarcharType.VARCHAR, VarcharType.VARCHAR)
                .row("orderkey", "bigint", "", "")
                .row("custkey", "bigint", "", "")
                .row("orderstatus", "varchar(255)", "", "")
                .row("totalprice", "double", "", "")
                .row("orderdate", "date", "", "")
                .row("orderpriority", "varchar(255)", "", "")
                .row("clerk", "varchar(255)", "", "")
                .row("shippriority", "integer", "", "")
                .row("comment", "varchar(255)", "", "")
                .build();
    }

    @Test
    @Override
    public void testShowColumns()
    {
        assertThat(query("SHOW COLUMNS FROM orders")).result().matches(getDescribeOrdersResult());
    }

    @Test
    @Override
    public void testShowCreateTable()
    {
        assertThat((String) computeScalar("SHOW CREATE TABLE customer"))
                .contains("CREATE TABLE mysql_pq.tpch.customer", "custkey bigint NOT NULL", "name varchar(255)", "acctbal double");
    }

    // MySQL fills rows that exist with the type's implicit default, such as 0.
    @Test
    @Override
    public void testAddNotNullColumn()
    {
        try (TestTable table = newTrinoTable("test_add_not_null", "(a INTEGER)", List.of("1"))) {
            assertUpdate("ALTER TABLE %s ADD COLUMN b INTEGER NOT NULL".formatted(table.getName()));
            assertThat(query("SELECT a, b FROM " + table.getName())).matches("VALUES (1, 0)");
        }
    }

    // Rows are changed one by one by the primary key. A text column is in one with a prefix.
    @Override
    protected TestTable createTestTableForWrites(String namePrefix, String tableDefinition, String primaryKey)
    {
        TestTable table = super.createTestTableForWrites(namePrefix, tableDefinition, primaryKey);
        addPrimaryKey(table.getName(), primaryKey);
        return table;
    }

    @Override
    protected TestTable createTestTableForWrites(String namePrefix, String tableDefinition, List<String> rows, String primaryKey)
    {
        TestTable table = super.createTestTableForWrites(namePrefix, tableDefinition, rows, primaryKey);
        addPrimaryKey(table.getName(), primaryKey);
        return table;
    }

    @Override
    protected void createTableForWrites(String createTable, String tableName, Optional<String> primaryKey, OptionalInt updateCount)
    {
        super.createTableForWrites(createTable, tableName, primaryKey, updateCount);
        primaryKey.ifPresent(key -> addPrimaryKey(tableName, key));
    }

    private void addPrimaryKey(String table, String columns)
    {
        String key = Stream.of(columns.split(", *"))
                .map(column -> ((String) computeScalar("SELECT data_type FROM information_schema.columns WHERE table_schema = 'tpch' AND table_name = '%s' AND column_name = '%s'".formatted(table, column))).startsWith("varchar")
                        ? "`%s`(60)".formatted(column)
                        : "`%s`".formatted(column))
                .collect(joining(", "));
        onRemoteDatabase().execute("ALTER TABLE tpch.`%s` ADD PRIMARY KEY (%s)".formatted(table, key));
    }

    // To MySQL an empty comment is none.
    @Test
    @Override
    public void testAddColumnWithComment()
    {
        try (TestTable table = newTrinoTable("test_add_column_with_comment", "(a INTEGER)")) {
            assertUpdate("ALTER TABLE %s ADD COLUMN b INTEGER COMMENT 'it''s \\ b'".formatted(table.getName()));
            assertThat(getColumnComment(table.getName(), "b")).isEqualTo("it's \\ b");
            assertUpdate("ALTER TABLE %s ADD COLUMN c INTEGER COMMENT ''".formatted(table.getName()));
            assertThat(getColumnComment(table.getName(), "c")).isNull();
        }
    }

    // MySQL prepares it, and says what it says of the statement.
    @Test
    @Override
    public void testNativeQueryCreateStatement()
    {
        assertQueryFails("SELECT * FROM TABLE(system.query(query => 'CREATE TABLE numbers(n INTEGER)'))", "Failed to get table handle for prepared query. No database selected. Name each table with its database, as in shop.orders");
        assertQueryFails("SELECT * FROM TABLE(system.query(query => 'CREATE TABLE tpch.numbers(n INTEGER)'))", "Query not supported: ResultSetMetaData not available for query: CREATE TABLE tpch.numbers\\(n INTEGER\\). It returns no rows. Use system.execute");
        assertThat(getQueryRunner().tableExists(getSession(), "numbers")).isFalse();
    }

    // One of them wins, and no update is lost.
    @Override
    protected void verifyConcurrentUpdateFailurePermissible(Exception e)
    {
        assertThat(e).hasMessageMatching("The row .* of table tpch\\..* was changed or deleted by another session after this statement had read it.*|.*Deadlock found.*");
    }

    @Override
    protected TestTable createTableWithDefaultColumns()
    {
        return new TestTable(
                onRemoteDatabase(),
                "tpch.test_default",
                "(col_required BIGINT NOT NULL, col_nullable BIGINT, col_default BIGINT DEFAULT 43, col_nonnull_default BIGINT NOT NULL DEFAULT 42, col_required2 BIGINT NOT NULL)");
    }

    @Override
    protected String errorMessageForCreateTableAsSelectNegativeDate(String date)
    {
        return ".*[Ii]ncorrect date(time)? value: '-%s'.*".formatted(date.replaceFirst("^-", ""));
    }

    @Override
    protected String errorMessageForInsertNegativeDate(String date)
    {
        return ".*[Ii]ncorrect date(time)? value: '-%s'.*".formatted(date.replaceFirst("^-", ""));
    }

    @Override
    protected String errorMessageForInsertIntoNotNullColumn(String columnName)
    {
        return "Failed to insert data: Field '%s' doesn't have a default value".formatted(columnName);
    }

    @Override
    protected Optional<String> filterColumnNameTestData(String columnName)
    {
        // MySQL refuses names that end with a space.
        return columnName.endsWith(" ") ? Optional.empty() : Optional.of(columnName);
    }

    @Override
    protected Optional<DataMappingTestSetup> filterDataMappingSmokeTestData(DataMappingTestSetup setup)
    {
        // BOOLEAN comes back as TINYINT, and a MySQL TIMESTAMP is of 1970 to 2038.
        String type = setup.getTrinoTypeName();
        return switch (type) {
            case "boolean" -> Optional.empty();
            case "timestamp(3) with time zone", "timestamp(6) with time zone" -> Optional.of(new DataMappingTestSetup(type, "TIMESTAMP '1970-01-02 03:04:05.678 +01:00'", "TIMESTAMP '2038-01-19 03:14:07.000 UTC'"));
            default -> Optional.of(setup);
        };
    }

    @Override
    protected OptionalInt maxSchemaNameLength()
    {
        return OptionalInt.of(MAX_NAME_LENGTH);
    }

    @Override
    protected void verifySchemaNameLengthFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(?s).*(Incorrect database name|is too long).*");
    }

    @Override
    protected OptionalInt maxTableNameLength()
    {
        return OptionalInt.of(MAX_NAME_LENGTH);
    }

    @Override
    protected void verifyTableNameLengthFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(?s).*(Incorrect table name|is too long).*");
    }

    @Override
    protected OptionalInt maxColumnNameLength()
    {
        return OptionalInt.of(MAX_NAME_LENGTH);
    }

    @Override
    protected void verifyColumnNameLengthFailurePermissible(Throwable e)
    {
        assertThat(e).hasMessageMatching("(?s).*(Incorrect column name|is too long).*");
    }
}
