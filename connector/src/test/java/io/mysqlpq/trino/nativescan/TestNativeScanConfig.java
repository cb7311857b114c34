package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

class TestNativeScanConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(NativeScanConfig.class)
                .setPacketDecodingEnabled(true)
                .setNativeScanEnabled(true)
                .setNativeScanCompression(ScanCompression.AUTO));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("packet-decoding-enabled", "false")
                .put("native-scan-enabled", "false")
                .put("native-scan-compression", "ZSTD")
                .buildOrThrow();
        assertFullMapping(properties, new NativeScanConfig()
                .setPacketDecodingEnabled(false)
                .setNativeScanEnabled(false)
                .setNativeScanCompression(ScanCompression.ZSTD));
    }
}
