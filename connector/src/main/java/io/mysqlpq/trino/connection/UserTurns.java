package io.mysqlpq.trino.connection;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

import java.util.HashMap;
import java.util.Map;

/**
 * Says which of Trino's users is next: the user who holds the fewest connections, and among equals the one who got a connection the longest
 * ago. Nobody therefore waits for everything that another user asks for.
 *
 * <p>Its owner guards it by a lock.
 */
final class UserTurns
{
    private final Multiset<String> held = HashMultiset.create();
    // Kept as long as anyone waits.
    private final Map<String, Long> lastTurns = new HashMap<>();
    private long turns;

    /** Returns a negative number if the first user comes before the second one, and zero if they are the same or neither had a turn. */
    int compare(String user, String other)
    {
        int difference = held.count(user) - held.count(other);
        return difference == 0 ? Long.compare(lastTurns.getOrDefault(user, 0L), lastTurns.getOrDefault(other, 0L)) : difference;
    }

    void take(String user)
    {
        held.add(user);
        turns++;
        lastTurns.put(user, turns);
    }

    void giveBack(String user)
    {
        held.remove(user);
    }

    /** Returns how many connections all users hold together. */
    int held()
    {
        return held.size();
    }

    /** Forgets who had turns, because nobody waits. */
    void forget()
    {
        lastTurns.clear();
    }
}
