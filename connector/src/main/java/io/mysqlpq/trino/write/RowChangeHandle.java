package io.mysqlpq.trino.write;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcMergeTableHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ColumnHandle;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/** Adds to base-jdbc's handle of a MERGE what Trino's pages hold beside what is written. */
public final class RowChangeHandle
        extends JdbcMergeTableHandle
{
    private final List<JdbcColumnHandle> pageColumns;
    private final List<JdbcColumnHandle> oldColumns;
    private final Set<String> comparedColumns;

    /**
     * @param dataColumns columns that values are written into
     * @param pageColumns columns of Trino's pages: these, and those that MySQL computes
     * @param oldColumns columns that a row's id has a field for
     * @param comparedColumns names of those of them whose values must not have changed; none if nothing is compared
     */
    @JsonCreator
    public RowChangeHandle(
            @JsonProperty("tableHandle") JdbcTableHandle tableHandle,
            @JsonProperty("outputTableHandle") JdbcOutputTableHandle outputTableHandle,
            @JsonProperty("updateOutputTableHandle") Map<Integer, JdbcOutputTableHandle> updateOutputTableHandle,
            @JsonProperty("deleteOutputTableHandle") Optional<JdbcOutputTableHandle> deleteOutputTableHandle,
            @JsonProperty("primaryKeys") List<JdbcColumnHandle> primaryKeys,
            @JsonProperty("dataColumns") List<JdbcColumnHandle> dataColumns,
            @JsonProperty("updateCaseColumns") Map<Integer, Collection<ColumnHandle>> updateCaseColumns,
            @JsonProperty("pageColumns") List<JdbcColumnHandle> pageColumns,
            @JsonProperty("oldColumns") List<JdbcColumnHandle> oldColumns,
            @JsonProperty("comparedColumns") Set<String> comparedColumns)
    {
        super(tableHandle, outputTableHandle, updateOutputTableHandle, deleteOutputTableHandle, primaryKeys, dataColumns, updateCaseColumns);
        this.pageColumns = ImmutableList.copyOf(pageColumns);
        this.oldColumns = ImmutableList.copyOf(oldColumns);
        this.comparedColumns = comparedColumns.stream().collect(toImmutableSet());
    }

    @JsonProperty
    public List<JdbcColumnHandle> getPageColumns()
    {
        return pageColumns;
    }

    @JsonProperty
    public List<JdbcColumnHandle> getOldColumns()
    {
        return oldColumns;
    }

    @JsonProperty
    public Set<String> getComparedColumns()
    {
        return comparedColumns;
    }

    /** Lists the columns that a case of a MERGE updates, in the table's order. */
    List<JdbcColumnHandle> updatedColumns(int updateCase)
    {
        Collection<ColumnHandle> updated = getUpdateCaseColumns().get(updateCase);
        return getDataColumns().stream().filter(updated::contains).collect(toImmutableList());
    }

    /** Returns what temporary tables keep of a row's old values. */
    KeptValues old()
    {
        return new KeptValues(ComparedColumn.among(oldColumns).stream().filter(compared -> comparedColumns.contains(compared.column().getColumnName())).collect(toImmutableList()));
    }
}
