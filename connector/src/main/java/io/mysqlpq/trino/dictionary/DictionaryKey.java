package io.mysqlpq.trino.dictionary;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyColumn;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Tells what MySQL's dictionary says of an index, as far as the connector can read its columns.
 *
 * @param columns the leading columns of the index, up to the first with a type or order that the connector does not know
 * @param definition names this version of table and index; a table or index that is made anew has another definition
 */
public record DictionaryKey(String index, List<KeyColumn> columns, String definition)
{
    private static final String DEFINITION_PREFIX = "dictionary:";

    public DictionaryKey
    {
        requireNonNull(index, "index is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(isDefinition(definition), "not a definition of the dictionary's: %s", definition);
    }

    static String definition(String hash)
    {
        return DEFINITION_PREFIX + hash;
    }

    /** Whether a definition is one of the dictionary's, and not the extension's. */
    public static boolean isDefinition(String definition)
    {
        return definition.startsWith(DEFINITION_PREFIX);
    }

    /** Returns the columns by which MySQL reads ranges, up to the first that may be NULL. Empty if there are none. */
    public Optional<IndexKey> readByRange()
    {
        if (columns.isEmpty()) {
            return Optional.empty();
        }
        IndexKey all = new IndexKey(index, index.equals(IndexKey.PRIMARY), columns);
        // Boundaries are looked for between values, and NULL is none.
        int count = min(all.columnsReadByRange(), (int) columns.stream().takeWhile(column -> !column.nullable()).count());
        return count == 0 ? Optional.empty() : Optional.of(new IndexKey(index, all.clustered(), columns.subList(0, count), count == columns.size()));
    }
}
