package io.mysqlpq.trino.snapshot;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.Ordering.natural;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Declares what a session may wish for the snapshot of its queries. */
public class SnapshotSessionProperties
        implements SessionPropertiesProvider
{
    private static final String SNAPSHOT_MODE = "snapshot_mode";
    private static final String SNAPSHOT_GROUP = "snapshot_group";
    private static final String SNAPSHOT_GROUP_AGE = "snapshot_group_age";
    private static final String SNAPSHOT_POSITION = "snapshot_position";
    private static final String SNAPSHOT_SHARING_WINDOW = "snapshot_sharing_window";

    // A name that no session can give its group.
    private static final String GROUP_WITHOUT_NAME = "";

    private static final int LONGEST_GROUP = 64;
    private static final Duration LEAST_GROUP_AGE = new Duration(1, SECONDS);
    private static final Duration DEFAULT_GROUP_AGE = new Duration(1, MINUTES);
    private static final Duration LONGEST_WINDOW = new Duration(1, MINUTES);

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public SnapshotSessionProperties(SnapshotConfig config)
    {
        properties = ImmutableList.of(
                enumProperty(
                        SNAPSHOT_MODE,
                        "Consistency of a query: EXACT (one snapshot, or fail), AUTO (EXACT if the extension can, else PER_SCAN), PER_SCAN (one snapshot per scan), NONE (one per range)",
                        SnapshotMode.class,
                        config.getSnapshotMode(),
                        false),
                stringProperty(
                        SNAPSHOT_GROUP,
                        "Name of the group whose queries share one snapshot",
                        null,
                        SnapshotSessionProperties::checkGroup,
                        false),
                durationProperty(
                        SNAPSHOT_GROUP_AGE,
                        "Maximum age of the group's snapshot that a query accepts",
                        natural().min(DEFAULT_GROUP_AGE, config.getSnapshotGroupMaxAge()),
                        value -> checkGroupAge(value, config.getSnapshotGroupMaxAge()),
                        false),
                stringProperty(
                        SNAPSHOT_POSITION,
                        "Set of GTIDs that the group's snapshot must have, as the function snapshot_position tells it; queries fail if it has another",
                        null,
                        false),
                durationProperty(
                        SNAPSHOT_SHARING_WINDOW,
                        "Maximum age of the snapshot that a query without a group shares with others; 0s gives each query its own",
                        config.getSnapshotSharingWindow(),
                        SnapshotSessionProperties::checkWindow,
                        false));
    }

    private static void checkWindow(Duration value)
    {
        if (value.compareTo(LONGEST_WINDOW) > 0) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be at most %s: %s. For older snapshots, set snapshot_group".formatted(SNAPSHOT_SHARING_WINDOW, LONGEST_WINDOW, value));
        }
    }

    private static void checkGroup(String value)
    {
        if (value.isBlank() || value.length() > LONGEST_GROUP) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be a name of 1 to %d characters: '%s'".formatted(SNAPSHOT_GROUP, LONGEST_GROUP, value));
        }
    }

    private static void checkGroupAge(Duration value, Duration greatest)
    {
        if (value.compareTo(LEAST_GROUP_AGE) < 0 || value.compareTo(greatest) > 0) {
            throw new TrinoException(
                    INVALID_SESSION_PROPERTY,
                    "%s must be between %s and %s, the catalog's snapshot-group-max-age: %s".formatted(SNAPSHOT_GROUP_AGE, LEAST_GROUP_AGE, greatest, value));
        }
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static SnapshotMode snapshotMode(ConnectorSession session)
    {
        return session.getProperty(SNAPSHOT_MODE, SnapshotMode.class);
    }

    public static SnapshotOptions snapshotOptions(ConnectorSession session)
    {
        SnapshotMode mode = snapshotMode(session);
        Optional<String> group = Optional.ofNullable(session.getProperty(SNAPSHOT_GROUP, String.class));
        Optional<String> position = Optional.ofNullable(session.getProperty(SNAPSHOT_POSITION, String.class)).map(set -> set.replaceAll("\\s", ""));
        if (position.isPresent() && (group.isEmpty() || mode != SnapshotMode.EXACT)) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "snapshot_position holds queries to the snapshot of a group. Set snapshot_group, and snapshot_mode to EXACT");
        }
        Duration window = session.getProperty(SNAPSHOT_SHARING_WINDOW, Duration.class);
        if (group.isEmpty() && window.toMillis() > 0) {
            return new SnapshotOptions(mode, Optional.of(GROUP_WITHOUT_NAME), window, Optional.empty());
        }
        return new SnapshotOptions(mode, group, session.getProperty(SNAPSHOT_GROUP_AGE, Duration.class), position);
    }
}
