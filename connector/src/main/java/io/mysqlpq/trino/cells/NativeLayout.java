package io.mysqlpq.trino.cells;

import java.util.Locale;

/** Names the layout of a column in a batch. A column in this layout becomes a block by copying. */
public enum NativeLayout
{
    INT8, INT16, INT32, INT64, INT128, BYTES;

    /** Returns the extension's name of the layout. */
    public String protocolName()
    {
        return name().toLowerCase(Locale.ENGLISH);
    }
}
