package io.mysqlpq.cross;

import io.mysqlpq.testing.random.RandomQuery;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Draws a query that differs from a random one in one word or number. It has one answer too, of the same types. */
final class QueryNeighbour
{
    private static final Map<String, String> OTHER_WORDS = Map.of(
            "ASC", "DESC",
            "DESC", "ASC",
            "FIRST", "LAST",
            "LAST", "FIRST",
            "min", "max",
            "max", "min",
            "min_by", "max_by",
            "max_by", "min_by");
    // Numbers that are compared with columns, or count rows. Literals of other types have quotes, and texts are written in hexadecimal.
    private static final Pattern PLACE = Pattern.compile("\\b(?:%s)\\b|(?<=[<>=] |FROM |LIMIT |OFFSET )\\d+\\b".formatted(String.join("|", OTHER_WORDS.keySet())));

    private QueryNeighbour()
    {}

    /** Returns nothing if the query has neither such a word nor such a number. */
    static Optional<RandomQuery> draw(RandomQuery query, Random random)
    {
        List<MatchResult> places = PLACE.matcher(query.sql()).results().toList();
        return places.isEmpty() ? Optional.empty() : Optional.of(differsAt(places.get(random.nextInt(places.size())), query));
    }

    private static RandomQuery differsAt(MatchResult place, RandomQuery query)
    {
        String other = Optional.ofNullable(OTHER_WORDS.get(place.group())).orElseGet(() -> "" + (Long.parseLong(place.group()) + 1));
        return new RandomQuery(query.sql().substring(0, place.start()) + other + query.sql().substring(place.end()), query.ordered(), query.first());
    }
}
