package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.server.FallbackCause;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.IndexKey.ROW_IDS;
import static io.mysqlpq.trino.planning.RangeSource.EXTENSION;
import static java.util.Objects.requireNonNull;

/**
 * Says how a scan will be read, as far as that is known before ranges are asked for: as one split, or by ranges of an index if the table is
 * large enough. EXPLAIN shows its text.
 */
public sealed interface AccessPath
{
    /**
     * Reads the scan as one split.
     *
     * @param index the index by which MySQL finds few rows, if that is the reason
     * @param fallbackCause why the extension gives no ranges, if that is the reason
     */
    record Whole(OneSplitReason reason, Optional<String> index, Optional<FallbackCause> fallbackCause)
            implements AccessPath
    {
        public Whole
        {
            requireNonNull(reason, "reason is null");
            requireNonNull(index, "index is null");
            requireNonNull(fallbackCause, "fallbackCause is null");
        }

        static Whole because(OneSplitReason reason)
        {
            return new Whole(reason, Optional.empty(), Optional.empty());
        }

        @Override
        public String toString()
        {
            String whole = "one split: " + reason + index.map(" "::concat).orElse("");
            return fallbackCause.map(cause -> "%s (%s)".formatted(whole, cause)).orElse(whole);
        }
    }

    /**
     * Reads the scan by ranges.
     *
     * @param source where the ranges come from
     * @param natively whether the extension reads their rows, as far as types tell
     * @param fallbackCause why the ranges do not come from the extension
     */
    record Ranges(Cut cut, RangeSource source, boolean natively, Optional<FallbackCause> fallbackCause)
            implements AccessPath
    {
        public Ranges
        {
            requireNonNull(cut, "cut is null");
            requireNonNull(source, "source is null");
            requireNonNull(fallbackCause, "fallbackCause is null");
            checkArgument(fallbackCause.isEmpty() || source != EXTENSION, "ranges from an extension that gives none: %s", fallbackCause);
        }

        @Override
        public String toString()
        {
            String index = cut.index().name();
            String ranges = "ranges of %s from %s".formatted(index.equals(ROW_IDS) ? "row ids" : "index " + index, source)
                    + cut.partitions().map(names -> " in %s partitions".formatted(names.count())).orElse("")
                    + (natively ? ", natively" : "");
            return fallbackCause.map(cause -> "%s (extension: %s)".formatted(ranges, cause)).orElse(ranges);
        }
    }

    default boolean isWhole()
    {
        return this instanceof Whole;
    }

    default boolean natively()
    {
        return this instanceof Ranges ranges && ranges.natively();
    }

    /** Whether it reads ranges of that index. */
    default boolean cuts(String index)
    {
        return this instanceof Ranges ranges && ranges.cut().index().name().equals(index);
    }
}
