package io.mysqlpq.trino.routing;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Compares sets of transactions in MySQL's notation for sets of GTIDs. */
final class TransactionSets
{
    // Names of servers and tags are no such intervals.
    private static final Pattern INTERVAL = Pattern.compile("(\\d+)(?:-(\\d+))?");
    private static final Splitter PARTS = Splitter.on(CharMatcher.anyOf(":,")).trimResults(CharMatcher.whitespace()).omitEmptyStrings();

    private TransactionSets()
    {}

    /** Returns how many transactions the set has. */
    static long size(String gtids)
    {
        return StreamSupport.stream(PARTS.split(gtids).spliterator(), false).mapToLong(TransactionSets::sizeOfPart).sum();
    }

    private static long sizeOfPart(String part)
    {
        Matcher interval = INTERVAL.matcher(part);
        if (!interval.matches()) {
            return 0;
        }
        long first = Long.parseLong(interval.group(1));
        return interval.group(2) == null ? 1 : Long.parseLong(interval.group(2)) - first + 1;
    }
}
