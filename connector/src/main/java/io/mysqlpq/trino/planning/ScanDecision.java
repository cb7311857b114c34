package io.mysqlpq.trino.planning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.server.FallbackCause;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.TrinoException;

import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Suppliers.memoize;
import static java.util.Objects.requireNonNull;

/** Remembers the access path of one scan. {@link #toString()} tells what has been decided so far, and asks MySQL nothing. */
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

    /** Returns what the query knows of its tables. */
    public synchronized QueryScans scans()
    {
        return scans;
    }

    /** The table that is read, with the columns that are read. */
    public JdbcTableHandle rows()
    {
        return rows.get();
    }

    /** Returns the session's wishes for this scan. */
    public synchronized PlanningOptions options()
    {
        return options;
    }

    /** Takes over the session that reads the scan. A view is analyzed in a session of its owner, without the query's settings. */
    public synchronized void readBy(QueryScans scans, PlanningOptions options)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.options = requireNonNull(options, "options is null");
    }

    /** Decides now, for those who print the decision. A failure is left to those who read. */
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

    /** Says why the scan is one split. Empty if that was not decided, or only because the extension is missing. */
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
