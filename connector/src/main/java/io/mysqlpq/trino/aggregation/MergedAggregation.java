package io.mysqlpq.trino.aggregation;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

/** Describes an aggregation of which ranges give parts that this connector merges. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = PartialAggregation.class, name = "sql"),
        @JsonSubTypes.Type(value = NativeAggregation.class, name = "native"),
})
public sealed interface MergedAggregation
        extends AggregationByRanges
        permits NativeAggregation, PartialAggregation
{
    /** Returns the same of other rows. */
    MergedAggregation of(JdbcTableHandle rows);

    /** Returns the columns of the result. */
    List<JdbcColumnHandle> resultColumns();

    /** Makes a merger of what the ranges give. */
    RangeMerger merger();
}
