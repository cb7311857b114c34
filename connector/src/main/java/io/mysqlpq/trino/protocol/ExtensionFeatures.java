package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableSortedSet;

import java.util.Set;

/** Says what an extension knows that older ones of the same protocol do not. */
public record ExtensionFeatures(@JsonProperty Set<String> names)
{
    private static final String OFF_PAGE = "off_page";
    private static final String ADOPT_TABLES = "adopt_tables";
    private static final String AGGREGATE = "aggregate";
    private static final String VALIDATORS = "validators";
    private static final String POSITION = "position";
    private static final String BATCH_FORMS = "batch_forms";
    private static final String AWAITED_POSITION = "awaited_position";

    public ExtensionFeatures
    {
        names = ImmutableSortedSet.copyOf(names);
    }

    /** Whether ranges may be cut by what columns take off-page. */
    public boolean weighsOffPage()
    {
        return names.contains(OFF_PAGE);
    }

    /** Whether an adoption may name tables, whose locks the snapshot lends. */
    public boolean lendsTableLocks()
    {
        return names.contains(ADOPT_TABLES);
    }

    /** Whether a scan may compute expressions and groups. */
    public boolean aggregates()
    {
        return names.contains(AGGREGATE);
    }

    /** Whether a scan gives validators, and tells whether one of them still holds. */
    public boolean givesValidators()
    {
        return names.contains(VALIDATORS);
    }

    /** Whether the extension names the transactions whose rows a snapshot has. */
    public boolean tellsPosition()
    {
        return names.contains(POSITION);
    }

    /** Whether a snapshot may wait for a set of transactions. */
    public boolean awaitsPosition()
    {
        return names.contains(AWAITED_POSITION);
    }

    /** Whether a scan may narrow and compress its batches. */
    public boolean hasBatchForms()
    {
        return names.contains(BATCH_FORMS);
    }
}
