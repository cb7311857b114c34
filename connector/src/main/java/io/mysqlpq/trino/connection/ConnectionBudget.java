package io.mysqlpq.trino.connection;

import io.trino.spi.TrinoException;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TOO_FEW_CONNECTIONS;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * Divides the connections that a cluster may have to one server. Together they are never more than {@code max-connections-per-server}.
 *
 * @param planning connections that plan queries, on the coordinator
 * @param snapshots connections that hold the snapshots of queries, on the coordinator
 * @param readers connections that read, on each worker
 */
public record ConnectionBudget(int planning, int snapshots, int readers)
{
    /** One for planning, and one for a snapshot. */
    public static final int LEAST_OF_COORDINATOR = 2;
    /** One for planning, one for a snapshot, and one for a worker. */
    public static final int LEAST = LEAST_OF_COORDINATOR + 1;

    private static final int PLANNING_PART = 8;
    private static final int MOST_PLANNING = 8;

    public ConnectionBudget
    {
        checkArgument(planning > 0, "planning is not positive: %s", planning);
        checkArgument(snapshots > 0, "snapshots is not positive: %s", snapshots);
        checkArgument(readers > 0, "readers is not positive: %s", readers);
    }

    /**
     * Gives two thirds to readers, because MySQL works for these, while sessions of snapshots are idle. Snapshots also get what workers may
     * not use.
     *
     * @param mostReaders most connections that a worker may read through
     */
    static ConnectionBudget of(int connections, int workers, int mostReaders)
    {
        if (connections < workers + LEAST_OF_COORDINATOR) {
            throw new TrinoException(
                    MYSQL_PQ_TOO_FEW_CONNECTIONS,
                    "max-connections-per-server is %s, but %s workers need at least %s connections: one for each worker, one for planning and one for a snapshot. Raise max-connections-per-server, or use fewer workers"
                            .formatted(connections, workers, workers + LEAST_OF_COORDINATOR));
        }
        int planning = min(clamp(connections / PLANNING_PART, 1, MOST_PLANNING), connections - workers - 1);
        int rest = connections - planning;
        int readers = min(mostReaders, max(2 * rest / 3 / workers, 1));
        return new ConnectionBudget(planning, rest - readers * workers, readers);
    }
}
