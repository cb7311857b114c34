package io.mysqlpq.trino.connection;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

import java.util.HashMap;
import java.util.Map;

/**
 * Says which Trino user is next: who holds fewest connections, and among equals who got one the longest ago. So nobody waits for all that another one asks for.
 *
 * <p>Its owner guards it by a lock.
 */
final class UserTurns
{
    private final Multiset<String> held = HashMultiset.create();
    // While anyone waits.
    private final Map<String, Long> lastTurns = new HashMap<>();
    private long turns;

    /** Negative if the one user comes before the other, zero if they are the same or neither had a turn. */
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

    /** How many all users hold. */
    int held()
    {
        return held.size();
    }

    /** Forgets who had turns: nobody waits. */
    void forget()
    {
        lastTurns.clear();
    }
}
