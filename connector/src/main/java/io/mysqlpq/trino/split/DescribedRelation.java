package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.planning.RangeSample;
import io.mysqlpq.trino.planning.ScanDecision;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;

import java.util.Objects;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Names a table, the share of it that is read if not all of it is, and how it will be read.
 *
 * <p>Only the coordinator needs more than the name. In JSON this is a plain named relation, and workers see it as one.
 */
@JsonTypeName("named")
public final class DescribedRelation
        extends FilteredRelation
{
    private final Optional<RangeSample> sample;
    private final ScanDecision decision;

    public DescribedRelation(JdbcNamedRelationHandle relation, Optional<RangeSample> sample, ScanDecision decision)
    {
        super(relation, ImmutableMap.of());
        this.sample = requireNonNull(sample, "sample is null");
        this.decision = requireNonNull(decision, "decision is null");
    }

    @JsonIgnore
    public Optional<RangeSample> sample()
    {
        return sample;
    }

    /** Says how the table is read, with all that was pushed down when the relation was made. */
    @JsonIgnore
    public ScanDecision decision()
    {
        return decision;
    }

    /** Whether each range gives its first rows, in the table's order and within its limit. Trino then has to take the first of all. */
    @JsonIgnore
    public boolean givesFirstRows()
    {
        return decision.options().firstRows();
    }

    @Override
    public boolean equals(Object other)
    {
        return super.equals(other) && sample.equals(((DescribedRelation) other).sample) && givesFirstRows() == ((DescribedRelation) other).givesFirstRows();
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(super.hashCode(), sample, givesFirstRows());
    }

    @Override
    public String toString()
    {
        return "%s read=[%s%s]".formatted(super.toString(), sample.map(part -> part + " of ").orElse(""), decision);
    }
}
