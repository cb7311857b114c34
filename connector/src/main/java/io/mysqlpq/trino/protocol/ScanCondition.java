package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Keeps some rows of a native scan. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = ScanCondition.Filter.class, name = "filter"),
        @JsonSubTypes.Type(value = ScanCondition.Comparison.class, name = "comparison"),
        @JsonSubTypes.Type(value = ScanCondition.Choice.class, name = "choice"),
})
public sealed interface ScanCondition
{
    /** Keeps rows whose value of a column is in one of the intervals, or NULL if that is wanted. */
    record Filter(String column, List<Interval> intervals, boolean nullPasses)
            implements ScanCondition
    {
        public Filter
        {
            requireNonNull(column, "column is null");
            intervals = ImmutableList.copyOf(intervals);
        }
    }

    /** Ends as the protocol writes values of the column; none where the interval is open. */
    record Interval(Optional<String> low, boolean lowInclusive, Optional<String> high, boolean highInclusive)
    {
        public static final Interval ALL = new Interval(Optional.empty(), false, Optional.empty(), false);

        public Interval
        {
            requireNonNull(low, "low is null");
            requireNonNull(high, "high is null");
        }
    }

    /**
     * Keeps rows in which two columns of one type compare as the operator says, and neither is NULL.
     *
     * @param operator as the protocol names it
     */
    record Comparison(String left, String operator, String right)
            implements ScanCondition
    {
        public Comparison
        {
            requireNonNull(left, "left is null");
            requireNonNull(operator, "operator is null");
            requireNonNull(right, "right is null");
        }
    }

    /** Keeps rows that pass all conditions of one of the alternatives. */
    record Choice(List<List<ScanCondition>> alternatives)
            implements ScanCondition
    {
        public Choice
        {
            alternatives = alternatives.stream().<List<ScanCondition>>map(ImmutableList::copyOf).collect(ImmutableList.toImmutableList());
        }
    }
}
