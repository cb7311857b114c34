package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;

/** Declares whether a session reads rows and column batches as MySQL, or the extension, sends them. */
public class PacketSessionProperties
        implements SessionPropertiesProvider
{
    private static final String PACKET_DECODING_ENABLED = "packet_decoding_enabled";
    private static final String NATIVE_SCAN_ENABLED = "native_scan_enabled";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public PacketSessionProperties(PacketConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        PACKET_DECODING_ENABLED,
                        "Decode rows as MySQL sends them, past the driver",
                        config.isPacketDecodingEnabled(),
                        false),
                booleanProperty(
                        NATIVE_SCAN_ENABLED,
                        "Let the extension read ranges of primary keys into column batches",
                        config.isNativeScanEnabled(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static boolean isPacketDecodingEnabled(ConnectorSession session)
    {
        return session.getProperty(PACKET_DECODING_ENABLED, Boolean.class);
    }

    /** Column batches are packets too. */
    public static boolean isNativeScanEnabled(ConnectorSession session)
    {
        return isPacketDecodingEnabled(session) && session.getProperty(NATIVE_SCAN_ENABLED, Boolean.class);
    }

    /** SQL reads the dates that are to be NULL, and SQL cannot read by row ids. */
    public static boolean isRowIdScanEnabled(ConnectorSession session)
    {
        return isNativeScanEnabled(session) && typeOptions(session).invalidDates() == InvalidDateHandling.ERROR;
    }
}
