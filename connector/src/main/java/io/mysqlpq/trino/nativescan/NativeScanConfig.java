package io.mysqlpq.trino.nativescan;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;

/** Says whether MySQL's packets are read past the driver, as native scans need it, and whether there are native scans. */
public class NativeScanConfig
{
    private boolean packetDecodingEnabled = true;
    private boolean nativeScanEnabled = true;
    private ScanCompression nativeScanCompression = ScanCompression.AUTO;

    public boolean isPacketDecodingEnabled()
    {
        return packetDecodingEnabled;
    }

    @Config("packet-decoding-enabled")
    @ConfigDescription("Decode rows from MySQL's packets directly, without the driver")
    public NativeScanConfig setPacketDecodingEnabled(boolean packetDecodingEnabled)
    {
        this.packetDecodingEnabled = packetDecodingEnabled;
        return this;
    }

    public boolean isNativeScanEnabled()
    {
        return nativeScanEnabled;
    }

    @Config("native-scan-enabled")
    @ConfigDescription("Let the extension read ranges natively, into column batches")
    public NativeScanConfig setNativeScanEnabled(boolean nativeScanEnabled)
    {
        this.nativeScanEnabled = nativeScanEnabled;
        return this;
    }

    public ScanCompression getNativeScanCompression()
    {
        return nativeScanCompression;
    }

    @Config("native-scan-compression")
    @ConfigDescription("When the extension compresses what it reads: AUTO (where the network is slow), ZSTD (always) or NONE")
    public NativeScanConfig setNativeScanCompression(ScanCompression nativeScanCompression)
    {
        this.nativeScanCompression = nativeScanCompression;
        return this;
    }
}
