package io.mysqlpq.extension;

/**
 * Reads what the extension counts of its readahead.
 */
record ReadaheadCounters(long asked, long resident, long looks)
{
    static ReadaheadCounters read(Session session)
    {
        return new ReadaheadCounters(
                StatusCounters.value(session, "readahead_pages_asked"),
                StatusCounters.value(session, "readahead_pages_resident"),
                StatusCounters.value(session, "readahead_looks"));
    }

    ReadaheadCounters since(ReadaheadCounters before)
    {
        return new ReadaheadCounters(asked - before.asked, resident - before.resident, looks - before.looks);
    }
}
