package io.mysqlpq.cross.fault;

/** Says how a query may end that a fault meets. */
enum Outcome
{
    /** With MySQL's own answer. */
    ANSWER("the right answer"),
    /** With one error, of a code of the connector's, that names the table and says what to do. */
    ERROR("one clear error"),
    /** With either, as the fault comes before or after the last row. */
    EITHER("the right answer or one clear error"),
    /** Trino itself finds that a process of its own is gone. */
    ERROR_OF_TRINO("Trino's error"),
    /** With the process that knew it. */
    LOST("the query is lost");

    private final String words;

    Outcome(String words)
    {
        this.words = words;
    }

    /** As docs/reliability.md says it. */
    String words()
    {
        return words;
    }
}
