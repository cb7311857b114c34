package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.RANGES_FUNCTION;
import static java.util.Objects.requireNonNull;

/**
 * Decodes the reply of {@code mysql_pq_ranges(...)} with what it says of the tree, for which planning has no use.
 *
 * @param level of the node pointers that the ranges consist of; leaves are 0
 * @param height levels of the tree. Absent, like the following, if the user may not see the table's size
 * @param pages an estimate for each range
 */
public record TreeReply(RangesReply ranges, int level, OptionalInt height, Optional<List<Long>> pages)
{
    public TreeReply
    {
        requireNonNull(ranges, "ranges is null");
        requireNonNull(height, "height is null");
        pages = pages.map(ImmutableList::copyOf);
    }

    /** @param request what was asked; a reply to anything else is malformed */
    public static TreeReply decode(RangesRequest request, String reply)
            throws UnsupportedReplyException
    {
        RangesReply ranges = RangesReply.decode(request, reply);
        ReplyFields fields = ReplyFields.parse(RANGES_FUNCTION, reply);
        Optional<List<Long>> pages = fields.optionalNumbers("pages");
        pages.filter(all -> all.size() != ranges.boundaries().size() + 1).ifPresent(all -> {
            throw fields.malformed("%d boundaries but %d estimates of pages".formatted(ranges.boundaries().size(), all.size()), null);
        });
        return new TreeReply(ranges, fields.number("level"), fields.optionalNumber("height"), pages);
    }
}
