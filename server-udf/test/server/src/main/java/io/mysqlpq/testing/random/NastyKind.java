package io.mysqlpq.testing.random;

/**
 * Tells what may be done with a column in a query that has one answer, and how MySQL and Trino each write its values as the same text.
 */
public enum NastyKind
{
    TEXT("HEX(CONVERT(%s USING utf8mb4))", "to_hex(to_utf8(%s))"),
    // MySQL takes the spaces away, Trino adds them.
    CHARACTER("HEX(TRIM(TRAILING ' ' FROM CONVERT(%s USING utf8mb4)))", "to_hex(to_utf8(trim(TRAILING ' ' FROM CAST(%s AS VARCHAR))))"),
    // Many of these have a sum.
    NUMBER("CAST(%s AS CHAR)", "CAST(%s AS VARCHAR)"),
    // At the bounds of its type.
    EXTREME("CAST(%s AS CHAR)", "CAST(%s AS VARCHAR)"),
    // These have more digits than a decimal of Trino's, whose number has no zeros at its end.
    LONG_NUMBER("TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(%s AS CHAR)))", "CAST(%s AS VARCHAR)"),
    APPROXIMATE("CAST(%s AS CHAR)", "CAST(%s AS VARCHAR)"),
    BOOLEAN("CASE %1$s + 0 WHEN 1 THEN 'true' WHEN 0 THEN 'false' END", "CAST(%s AS VARCHAR)"),
    YEAR("CONCAT(%s, '-01-01')", "CAST(%s AS VARCHAR)"),
    TIME("CAST(%s AS CHAR)", "CAST(%s AS VARCHAR)"),
    INSTANT("CAST(%s AS CHAR)", "regexp_replace(CAST(%s AT TIME ZONE 'UTC' AS VARCHAR), ' UTC$')"),
    BYTES("HEX(%s)", "to_hex(%s)"),
    // Not of an order.
    DOCUMENT("CAST(%s AS CHAR)", "json_format(%s)");

    private final String mysqlText;
    private final String trinoText;

    NastyKind(String mysqlText, String trinoText)
    {
        this.mysqlText = mysqlText;
        this.trinoText = trinoText;
    }

    /** In a session whose time zone is UTC. */
    public String mysqlText(String column)
    {
        return mysqlText.formatted(column);
    }

    public String trinoText(String column)
    {
        return trinoText.formatted(column);
    }

    public boolean hasOrder()
    {
        return this != DOCUMENT;
    }

    public boolean hasSum()
    {
        return this == NUMBER;
    }
}
