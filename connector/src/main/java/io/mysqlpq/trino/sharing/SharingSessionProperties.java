package io.mysqlpq.trino.sharing;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.error.PropertyRange;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.mysqlpq.trino.sharing.SharedReadsConfig.MOST_PIECE_ROWS;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;

/** Declares whether a session takes what earlier queries read, and in which pieces. */
public class SharingSessionProperties
        implements SessionPropertiesProvider
{
    private static final String READ_REUSE_ENABLED = "read_reuse_enabled";
    private static final String READ_REUSE_PIECE_ROWS = "read_reuse_piece_rows";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public SharingSessionProperties(SharedReadsConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        READ_REUSE_ENABLED,
                        "Give queries what earlier ones read, if the extension says that it has not changed since",
                        config.isReadReuseEnabled(),
                        false),
                integerProperty(
                        READ_REUSE_PIECE_ROWS,
                        "Rows of the pieces in which groups are kept, of which only those are read again that have changed",
                        config.getReadReusePieceRows(),
                        rows -> PropertyRange.check(READ_REUSE_PIECE_ROWS, rows, MOST_PIECE_ROWS),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static boolean isReadReuseEnabled(ConnectorSession session)
    {
        return session.getProperty(READ_REUSE_ENABLED, Boolean.class);
    }

    public static int getReadReusePieceRows(ConnectorSession session)
    {
        return session.getProperty(READ_REUSE_PIECE_ROWS, Integer.class);
    }
}
