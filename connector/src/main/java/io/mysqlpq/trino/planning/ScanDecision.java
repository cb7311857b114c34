package io.mysqlpq.trino.planning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.server.FallbackCause;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.TrinoException;

import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Suppliers.memoize;
import static java.util.Objects.requireNonNull;

/** Remembers how one scan is read. Its text asks MySQL nothing: it tells what was decided so far. */
public final class ScanDecision
{
    private final Supplier<JdbcTableHandle> rows;
    @GuardedBy("this")
    private QueryScans scans;
    @GuardedBy("this")
    private PlanningOptions options;
    @GuardedBy("this")
    private Optional<AccessPath> decided = Optional.empty();
    @GuardedBy("this")
    private String text = "not decided";

    ScanDecision(QueryScans scans, Supplier<JdbcTableHandle> rows, PlanningOptions options)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.rows = memoize(requireNonNull(rows, "rows is null")::get);
        this.options = requireNonNull(options, "options is null");
    }

    /** What the query knows of its tables. */
    public synchronized QueryScans scans()
    {
        return scans;
    }

    /** The table that is read, with the columns that are read. */
    public JdbcTableHandle rows()
    {
        return rows.get();
    }

    /** What the session wishes for this scan. */
    public synchronized PlanningOptions options()
    {
        return options;
    }

    /** Takes the session that reads the scan. A view is analyzed in one of its owner's, without the query's settings. */
    public synchronized void readBy(QueryScans scans, PlanningOptions options)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.options = requireNonNull(options, "options is null");
    }

    /** Decides, for those who print it. A failure is for those who read. */
    public void decide()
    {
        try {
            keep(path());
        }
        catch (TrinoException e) {
            fail(e);
        }
    }

    private synchronized void keep(AccessPath path)
    {
        decided = Optional.of(path);
        text = path.toString();
    }

    private synchronized void fail(TrinoException cause)
    {
        text = "not known: " + cause.getMessage();
    }

    public AccessPath path()
    {
        return scans().decide(rows.get(), options());
    }

    /** Whether it was decided to read the scan as one split. */
    public synchronized boolean isDecidedWhole()
    {
        return decided.filter(AccessPath::isWhole).isPresent();
    }

    /** Why the scan is one split, if that was decided, and for no want of the extension. */
    public synchronized Optional<OneSplitReason> wholeBecause()
    {
        return decided.flatMap(path -> path instanceof AccessPath.Whole(OneSplitReason reason, _, Optional<FallbackCause> cause) && cause.isEmpty() ? Optional.of(reason) : Optional.empty());
    }

    @Override
    public synchronized String toString()
    {
        return text;
    }
}
