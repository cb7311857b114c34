import java.sql.DriverManager;

/** Reads a table through Trino by JDBC: java -cp trino-jdbc-483.jar JdbcClient.java HOST PORT. */
class JdbcClient
{
    public static void main(String[] arguments)
            throws Exception
    {
        String url = "jdbc:trino://%s:%s/mysql_pq/tpch?user=analyst".formatted(arguments[0], arguments[1]);
        try (var connection = DriverManager.getConnection(url);
                var query = connection.prepareStatement("SELECT o_orderpriority, count(*) FROM orders WHERE o_orderdate >= ? GROUP BY 1 ORDER BY 1")) {
            query.setDate(1, java.sql.Date.valueOf("1995-01-01"));
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    System.out.println(rows.getString(1) + "\t" + rows.getLong(2));
                }
            }
        }
    }
}
