package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Is what a run leaves behind for other programs, as JSON.
 *
 * @param began in UTC
 * @param model one or none
 */
record WrittenResults(String began, String commit, String machine, String scale, int rounds, List<Figures> figures, List<ScalingModel> model)
{
    WrittenResults
    {
        figures = List.copyOf(figures);
        model = List.copyOf(model);
    }

    static WrittenResults read(Path file)
            throws IOException
    {
        return new ObjectMapper().readValue(file.toFile(), WrittenResults.class);
    }

    /** @return the figures of each case, in its order of sides */
    List<List<Figures>> cases()
    {
        Map<String, List<Figures>> cases = new LinkedHashMap<>();
        figures.forEach(side -> cases.computeIfAbsent(side.query(), _ -> new ArrayList<>()).add(side));
        return List.copyOf(cases.values());
    }

    void requireSame(String name, Object ours, Object wanted)
    {
        if (!ours.equals(wanted)) {
            throw new IllegalArgumentException("The results to resume are of %s %s, and this run is of %s %s: run with the same, or without --resume".formatted(name, ours, name, wanted));
        }
    }
}
