package io.mysqlpq.trino.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ConnectionQueue;
import io.mysqlpq.trino.connection.ConnectionQueue.Permit;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static java.util.Objects.requireNonNull;

/**
 * Lets several queries of one Trino user share a snapshot under a name that they agree on.
 *
 * <p>A group's snapshot stays as long as its first query accepts its age, even between queries, and as long as a query reads in it. A query
 * that accepts only a younger snapshot opens the next one.
 *
 * <p>This object's lock guards the state of all groups.
 */
final class SnapshotGroups
{
    private final Donors donors;
    private final SnapshotConfig config;

    @GuardedBy("this")
    private final Map<Name, Group> groups = new HashMap<>();

    @Inject
    SnapshotGroups(Donors donors, SnapshotConfig config)
    {
        this.donors = requireNonNull(donors, "donors is null");
        this.config = requireNonNull(config, "config is null");
    }

    /**
     * @param use GROUP_WITH_POSITION opens a new snapshot if the group's does not tell its position
     * @param checkOpen throws if the query has ended meanwhile
     */
    Membership join(ConnectorSession session, SnapshotOptions options, Collection<RemoteTableName> tables, SnapshotUse use, Runnable checkOpen)
            throws SQLException, ExtensionUnavailableException
    {
        Name name = new Name(session.getUser(), donors.accountName(session), options.group().orElseThrow());
        Group joined = enter(name);
        try {
            return joined.join(session, options, tables, use, checkOpen);
        }
        finally {
            exit(name, joined);
        }
    }

    private synchronized Group enter(Name name)
    {
        Group group = groups.get(name);
        if (group == null) {
            if (groups.size() >= config.getMaxSnapshotGroups()) {
                throw new TrinoException(
                        MYSQL_PQ_SNAPSHOT_UNAVAILABLE,
                        "There are %d snapshot groups, as many as max-snapshot-groups allows. Use an existing group, wait until one ends, or raise max-snapshot-groups".formatted(groups.size()));
            }
            group = new Group(name);
            groups.put(name, group);
        }
        group.joining++;
        return group;
    }

    private synchronized void exit(Name name, Group group)
    {
        group.joining--;
        removeIfUnused(name, group);
    }

    @GuardedBy("this")
    private void removeIfUnused(Name name, Group group)
    {
        if (group.joining == 0 && group.current == null) {
            groups.remove(name, group);
        }
    }

    synchronized int size()
    {
        return groups.size();
    }

    // MySQL lends a snapshot to readers of the same account only.
    private record Name(String user, Optional<String> account, String group)
    {
        private Name
        {
            requireNonNull(user, "user is null");
            requireNonNull(account, "account is null");
            requireNonNull(group, "group is null");
        }
    }

    private final class Group
    {
        private final Name name;
        // Held while a snapshot opens.
        private final ReentrantLock opening = new ReentrantLock();

        private int joining;
        @Nullable
        private Shared current;

        Group(Name name)
        {
            this.name = name;
        }

        Membership join(ConnectorSession session, SnapshotOptions options, Collection<RemoteTableName> tables, SnapshotUse use, Runnable checkOpen)
                throws SQLException, ExtensionUnavailableException
        {
            donors.lock(opening, checkOpen);
            try {
                Membership membership = joinCurrent(options, use);
                if (membership != null && isAlive(membership)) {
                    return membership;
                }
                if (options.position().isPresent()) {
                    throw new TrinoException(
                            MYSQL_PQ_SNAPSHOT_LOST,
                            "The snapshot group has no snapshot with the transactions of snapshot_position: it has ended, it is older than snapshot_group_age, or it is on another server. Ask for a new position, and begin again");
                }
                // Its permit may be what the next snapshot waits for.
                retireCurrent();
                Permit permit = ConnectionQueue.await(donors.admit(session), checkOpen);
                Donor donor = open(session, tables, use, checkOpen, permit);
                membership = replaceCurrent(donor, permit);
                donors.schedule(() -> retire(donor), options.groupMaxAge().toMillis());
                return membership;
            }
            finally {
                opening.unlock();
            }
        }

        private Donor open(ConnectorSession session, Collection<RemoteTableName> tables, SnapshotUse use, Runnable checkOpen, Permit permit)
                throws SQLException, ExtensionUnavailableException
        {
            AtomicReference<Donor> connected = new AtomicReference<>();
            boolean opened = false;
            try {
                Donor donor = donors.open(session, tables, use, connecting -> {
                    connected.set(connecting);
                    checkOpen.run();
                });
                opened = true;
                return donor;
            }
            finally {
                if (!opened) {
                    // Without a donor nothing has a session in MySQL.
                    Optional.ofNullable(connected.get()).ifPresentOrElse(donor -> donors.release(donor, permit), permit::close);
                }
            }
        }

        // Heartbeats notice late what MySQL has ended.
        private boolean isAlive(Membership membership)
        {
            boolean alive = false;
            try {
                alive = donors.isAlive(membership.donor());
                return alive;
            }
            finally {
                if (!alive) {
                    membership.leave();
                }
            }
        }

        @Nullable
        private Membership joinCurrent(SnapshotOptions options, SnapshotUse use)
        {
            synchronized (SnapshotGroups.this) {
                return current != null && !current.donor.isLost() && fits(current.donor, options, use) ? new Membership(current) : null;
            }
        }

        private static boolean fits(Donor donor, SnapshotOptions options, SnapshotUse use)
        {
            Optional<String> position = donor.position().map(SnapshotPosition::gtidExecuted);
            return donor.age().compareTo(options.groupMaxAge()) <= 0
                    && (use != SnapshotUse.GROUP_WITH_POSITION || position.isPresent())
                    && (options.position().isEmpty() || options.position().equals(position));
        }

        private Membership replaceCurrent(Donor donor, Permit permit)
        {
            synchronized (SnapshotGroups.this) {
                current = new Shared(donor, permit);
                return new Membership(current);
            }
        }

        private void retireCurrent()
        {
            Optional<Shared> unused;
            synchronized (SnapshotGroups.this) {
                unused = Optional.ofNullable(current).filter(Shared::retire);
                current = null;
            }
            unused.ifPresent(Shared::release);
        }

        private void retire(Donor donor)
        {
            Optional<Shared> unused = Optional.empty();
            synchronized (SnapshotGroups.this) {
                if (current != null && current.donor == donor) {
                    unused = Optional.of(current).filter(Shared::retire);
                    current = null;
                    removeIfUnused(name, this);
                }
            }
            unused.ifPresent(Shared::release);
        }
    }

    private final class Shared
    {
        private final Donor donor;
        private final Permit permit;
        private int members;
        private boolean retired;

        Shared(Donor donor, Permit permit)
        {
            this.donor = donor;
            this.permit = permit;
        }

        // Returns whether nobody uses the snapshot any more, so that it is to be released.
        boolean retire()
        {
            retired = true;
            return isUnused();
        }

        // Returns whether the snapshot is to be released.
        boolean leave()
        {
            members--;
            return isUnused();
        }

        private boolean isUnused()
        {
            return retired && members == 0;
        }

        // May run code of whoever waits for the permit: never under the groups' lock.
        void release()
        {
            donors.release(donor, permit);
        }
    }

    /** Stands for one query that reads in a group's snapshot. */
    final class Membership
    {
        private final Shared shared;
        private final AtomicBoolean left = new AtomicBoolean();

        // The caller holds the groups' lock.
        private Membership(Shared shared)
        {
            this.shared = shared;
            shared.members++;
        }

        Donor donor()
        {
            return shared.donor;
        }

        void leave()
        {
            if (!left.compareAndSet(false, true)) {
                return;
            }
            boolean isUnused;
            synchronized (SnapshotGroups.this) {
                isUnused = shared.leave();
            }
            if (isUnused) {
                shared.release();
            }
        }
    }
}
