package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.datatype.CreateAndInsertDataSetup;
import io.trino.testing.datatype.CreateAndTrinoInsertDataSetup;
import io.trino.testing.datatype.CreateAsSelectDataSetup;
import io.trino.testing.datatype.DataSetup;
import io.trino.testing.sql.TrinoSqlExecutor;

import java.util.Map;

import static io.trino.testing.TestingSession.testSessionBuilder;

/** Takes values through MySQL and Trino in all the ways there are; Trino's own literals say what must come back. */
abstract class BaseTypeMappingTest
        extends AbstractTestQueryFramework
{
    private static final String CATALOG = "mysql_pq";

    protected MysqlServer mysql;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        mysql = closeAfterClass(MysqlServer.builder().extension(false).start());
        mysql.execute("CREATE DATABASE test");
        QueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog(CATALOG).setSchema("test").build()).setWorkerCount(0).build();
        runner.installPlugin(new MysqlPqPlugin());
        createCatalog(runner, CATALOG, ImmutableMap.of());
        return runner;
    }

    protected void createCatalog(QueryRunner runner, String name, Map<String, String> properties)
    {
        runner.createCatalog(name, "mysql_pq", ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("connection-user", "root")
                .putAll(properties)
                .buildOrThrow());
    }

    /** MySQL creates the table and inserts its own literals. */
    protected DataSetup mysqlTable()
    {
        return new CreateAndInsertDataSetup(mysql::execute, "test.by_mysql");
    }

    /** MySQL creates the table, Trino inserts. */
    protected DataSetup mysqlTableFilledByTrino(Session session)
    {
        return new CreateAndTrinoInsertDataSetup(mysql::execute, new TrinoSqlExecutor(getQueryRunner(), session), "test.filled_by_trino");
    }

    /** Trino creates the table and inserts. */
    protected DataSetup trinoTable(Session session)
    {
        TrinoSqlExecutor trino = new TrinoSqlExecutor(getQueryRunner(), session);
        return new CreateAndTrinoInsertDataSetup(trino, trino, "by_trino");
    }

    /** Trino creates the table from a query. */
    protected DataSetup tableOfQuery(Session session)
    {
        return new CreateAsSelectDataSetup(new TrinoSqlExecutor(getQueryRunner(), session), "of_query");
    }

    protected Session withProperties(Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(getSession());
        properties.forEach((name, value) -> session.setCatalogSessionProperty(CATALOG, name, value));
        return session.build();
    }
}
