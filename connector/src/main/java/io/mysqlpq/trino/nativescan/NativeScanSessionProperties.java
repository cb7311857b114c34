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
import static io.trino.spi.session.PropertyMetadata.enumProperty;

/** Declares whether a session takes MySQL's packets past the driver, as native scans need it, and whether it scans natively. */
public class NativeScanSessionProperties
        implements SessionPropertiesProvider
{
    private static final String PACKET_DECODING_ENABLED = "packet_decoding_enabled";
    private static final String NATIVE_SCAN_ENABLED = "native_scan_enabled";
    private static final String NATIVE_SCAN_COMPRESSION = "native_scan_compression";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public NativeScanSessionProperties(NativeScanConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        PACKET_DECODING_ENABLED,
                        "Decode rows from MySQL's packets directly, without the driver",
                        config.isPacketDecodingEnabled(),
                        false),
                booleanProperty(
                        NATIVE_SCAN_ENABLED,
                        "Let the extension read ranges natively, into column batches",
                        config.isNativeScanEnabled(),
                        false),
                enumProperty(
                        NATIVE_SCAN_COMPRESSION,
                        "When the extension compresses what it reads: AUTO (where the network is slow), ZSTD (always) or NONE",
                        ScanCompression.class,
                        config.getNativeScanCompression(),
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

    /** Batches are read as packets, so a session that leaves packets to the driver has no native scans. */
    public static boolean isNativeScanEnabled(ConnectorSession session)
    {
        return isPacketDecodingEnabled(session) && session.getProperty(NATIVE_SCAN_ENABLED, Boolean.class);
    }

    public static ScanCompression getNativeScanCompression(ConnectorSession session)
    {
        return session.getProperty(NATIVE_SCAN_COMPRESSION, ScanCompression.class);
    }

    /** Where invalid dates are to be NULL, SQL reads them. SQL cannot read by row ids, so such a session does not either. */
    public static boolean isRowIdScanEnabled(ConnectorSession session)
    {
        return isNativeScanEnabled(session) && typeOptions(session).invalidDates() == InvalidDateHandling.ERROR;
    }
}
