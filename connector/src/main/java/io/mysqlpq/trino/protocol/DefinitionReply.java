package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.DEFINITION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/** Decodes the reply of {@code mysql_pq_definition(...)}. */
public record DefinitionReply(String definition)
{
    public DefinitionReply
    {
        requireNonNull(definition, "definition is null");
    }

    public static DefinitionReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(DEFINITION_FUNCTION, reply);
        checkProtocol(fields);
        return new DefinitionReply(fields.text("definition"));
    }
}
