package io.mysqlpq.trino.rows;

import io.trino.spi.connector.ConnectorSession;

/** Tells whether rows are to be decoded as MySQL, or the extension, sends them. */
public final class PacketDecoding
{
    public static final String PACKET_DECODING_ENABLED = "packet_decoding_enabled";

    public static final String NATIVE_SCAN_ENABLED = "native_scan_enabled";

    private PacketDecoding()
    {}

    public static boolean isPacketDecodingEnabled(ConnectorSession session)
    {
        return session.getProperty(PACKET_DECODING_ENABLED, Boolean.class);
    }

    /** Column batches are packets too. */
    public static boolean isNativeScanEnabled(ConnectorSession session)
    {
        return isPacketDecodingEnabled(session) && session.getProperty(NATIVE_SCAN_ENABLED, Boolean.class);
    }
}
