package io.mysqlpq.trino;

import io.mysqlpq.testing.random.Seed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static java.lang.Math.min;

/** Draws some of many cases, other ones in each run: all of them would take too long every time. */
final class Draw
{
    private Draw()
    {}

    static List<String> some(int cases, String... all)
    {
        return some(cases, List.of(all));
    }

    static List<String> some(int cases, List<String> all)
    {
        List<String> drawn = new ArrayList<>(all);
        Collections.shuffle(drawn, Seed.random());
        return drawn.subList(0, min(cases, drawn.size()));
    }
}
