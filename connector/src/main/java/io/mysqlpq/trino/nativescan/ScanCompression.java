package io.mysqlpq.trino.nativescan;

/** Says when batches of native scans come compressed. */
public enum ScanCompression
{
    /** Where the network is slow. */
    AUTO,
    /** Always, if the extension knows how. */
    ZSTD,
    NONE
}
