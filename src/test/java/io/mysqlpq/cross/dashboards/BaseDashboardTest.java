package io.mysqlpq.cross.dashboards;

import io.mysqlpq.cross.CrossCluster;
import io.mysqlpq.cross.TpchTables;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Starts MySQL with the extension and TPC-H, Trino with the connector, and a Superset that has imported the dashboards.
 */
@Tag("dashboards")
@TestInstance(PER_CLASS)
abstract class BaseDashboardTest
{
    @AutoClose
    final CrossCluster cluster;
    private SupersetServer server;
    SupersetClient superset;

    /** @param catalogProperties that differ from what a catalog has by itself */
    BaseDashboardTest(Map<String, String> catalogProperties)
    {
        cluster = CrossCluster.byDefault(MysqlServer.builder().extension(true).start(), catalogProperties);
    }

    @BeforeAll
    void start(@TempDir Path folder)
            throws IOException, InterruptedException
    {
        server = new SupersetServer(folder);
        TpchTables.load(cluster);
        Path zip = server.bundle(folder, "trino://test@%s/mysql_pq".formatted(cluster.trino().getCoordinator().getAddress()));
        // Which the extension brings, and who loads it by its name alone has not.
        mysql().execute("INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'");
        superset = server.login();
        superset.importBundle(zip);
    }

    @AfterAll
    void stopSuperset()
    {
        if (server != null) {
            server.close();
        }
    }

    MysqlServer mysql()
    {
        return cluster.mysql();
    }
}
