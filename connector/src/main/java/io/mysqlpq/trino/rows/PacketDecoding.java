package io.mysqlpq.trino.rows;

import io.trino.spi.connector.ConnectorSession;

/** Tells whether rows are to be decoded as MySQL sends them. */
public final class PacketDecoding
{
    public static final String PACKET_DECODING_ENABLED = "packet_decoding_enabled";

    private PacketDecoding()
    {}

    public static boolean isPacketDecodingEnabled(ConnectorSession session)
    {
        return session.getProperty(PACKET_DECODING_ENABLED, Boolean.class);
    }
}
