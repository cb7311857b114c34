package io.mysqlpq.trino.tables;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * Writes names so that the driver's metadata, which it reads from information_schema, finds what is named exactly so, whatever the name holds.
 */
public final class MetadataNames
{
    private final String quote;
    private final String escape;

    /** For a connection, whose sql_mode decides what quotes are. */
    public MetadataNames(DatabaseMetaData metadata)
            throws SQLException
    {
        this.quote = metadata.getIdentifierQuoteString();
        this.escape = metadata.getSearchStringEscape();
    }

    /** Writes the name of a schema or a table where the driver takes no pattern. The driver takes blanks and a pair of quotes off. */
    public String literal(String name)
    {
        return name.startsWith(quote) || !name.equals(name.trim()) ? quote + name.replace(quote, quote + quote) + quote : name;
    }

    /** Writes the name of a table where the driver takes a pattern. The driver uses LIKE, which takes escapes off, only if it finds a wildcard. */
    public String pattern(String name)
    {
        boolean like = name.contains("%") || name.contains("_");
        return literal(like ? name.replace(escape, escape + escape).replace("%", escape + "%").replace("_", escape + "_") : name);
    }
}
