package io.mysqlpq.trino.tables;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Writes names for the driver's metadata, which it reads from information_schema, so that it finds exactly that name, whatever characters the name has. */
public final class MetadataNames
{
    private final String quote;
    private final String escape;

    /** Writes names for a connection, whose sql_mode decides what quotes are. */
    public MetadataNames(DatabaseMetaData metadata)
            throws SQLException
    {
        this.quote = metadata.getIdentifierQuoteString();
        this.escape = metadata.getSearchStringEscape();
    }

    /** Writes the name of a schema or a table where the driver expects no pattern. The driver removes blanks and a pair of quotes. */
    public String literal(String name)
    {
        return name.startsWith(quote) || !name.equals(name.trim()) ? quote + name.replace(quote, quote + quote) + quote : name;
    }

    /** Writes the name of a table where the driver expects a pattern. Only if the driver finds a wildcard does it use LIKE, which removes escapes. */
    public String pattern(String name)
    {
        boolean like = name.contains("%") || name.contains("_");
        return literal(like ? name.replace(escape, escape + escape).replace("%", escape + "%").replace("_", escape + "_") : name);
    }
}
