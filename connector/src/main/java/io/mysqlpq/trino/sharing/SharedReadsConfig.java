package io.mysqlpq.trino.sharing;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MaxDataSize;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Limits what a node keeps for other queries. */
public class SharedReadsConfig
{
    public static final int MOST_PIECE_ROWS = 1_000_000;

    private DataSize sharedReadsMemory = DataSize.of(256, MEGABYTE);
    private Duration sharedReadsWait = new Duration(10, SECONDS);
    private boolean readReuseEnabled = true;
    private int readReusePieceRows = 2048;

    @NotNull
    @MaxDataSize("1TB")
    public DataSize getSharedReadsMemory()
    {
        return sharedReadsMemory;
    }

    @Config("shared-reads-memory")
    @ConfigDescription("Memory of each node for what queries read in common; 0B turns this off")
    public SharedReadsConfig setSharedReadsMemory(DataSize sharedReadsMemory)
    {
        this.sharedReadsMemory = sharedReadsMemory;
        return this;
    }

    @NotNull
    @MinDuration("1ms")
    @MaxDuration("1h")
    public Duration getSharedReadsWait()
    {
        return sharedReadsWait;
    }

    @Config("shared-reads-wait")
    @ConfigDescription("Time that a query waits for another one that reads the same, before it reads by itself")
    public SharedReadsConfig setSharedReadsWait(Duration sharedReadsWait)
    {
        this.sharedReadsWait = sharedReadsWait;
        return this;
    }

    public boolean isReadReuseEnabled()
    {
        return readReuseEnabled;
    }

    @Config("read-reuse-enabled")
    @ConfigDescription("Give queries what earlier ones read, if the extension says that it has not changed since")
    public SharedReadsConfig setReadReuseEnabled(boolean readReuseEnabled)
    {
        this.readReuseEnabled = readReuseEnabled;
        return this;
    }

    @Min(1)
    @Max(MOST_PIECE_ROWS)
    public int getReadReusePieceRows()
    {
        return readReusePieceRows;
    }

    @Config("read-reuse-piece-rows")
    @ConfigDescription("Rows of the pieces in which groups are kept, of which only those are read again that have changed")
    public SharedReadsConfig setReadReusePieceRows(int readReusePieceRows)
    {
        this.readReusePieceRows = readReusePieceRows;
        return this;
    }
}
