package io.mysqlpq.trino.protocol;

/** Signals a well-formed reply that this connector cannot use: a newer protocol, or a key type it does not know. */
public class UnsupportedReplyException
        extends Exception
{
    /** Says which part of the reply is unknown. */
    public enum Reason
    {
        PROTOCOL,
        ENCODING,
    }

    private final Reason reason;

    UnsupportedReplyException(Reason reason, String message)
    {
        super(message);
        this.reason = reason;
    }

    public Reason reason()
    {
        return reason;
    }
}
