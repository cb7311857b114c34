package io.mysqlpq.trino.protocol;

import io.mysqlpq.testing.random.DamagedBytes;
import io.mysqlpq.testing.random.Seed;
import io.mysqlpq.trino.key.KeyRange;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MALFORMED_REPLY;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_FUNCTION;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Decodes replies of the corpus after changes at random: each is read, or fails as the protocol says, whatever was changed. */
class TestDamagedReplies
{
    private static final int ROUNDS = 10_000;

    private final Random random = Seed.random();

    /** Makes anything of a reply. */
    private interface Decoder
    {
        Object decode(String reply)
                throws UnsupportedReplyException;
    }

    @Test
    void testRanges()
    {
        for (String corpus : List.of("ranges-of-two-columns.json", "ranges-of-times.json", "ranges-of-a-set.json")) {
            RangesRequest request = new RangesRequest("tpch", "lineitem", "PRIMARY", Optional.of("p0"), 64, KeyRange.all(), false, List.of(), Optional.empty());
            // Each range ends where the next one begins, so no row is lost.
            test(corpus, reply -> {
                RangesReply decoded = RangesReply.decode(request, reply);
                assertThat(decoded.ranges()).hasSize(decoded.boundaries().size() + 1);
                decoded.boundaries().forEach(boundary -> assertThat(boundary.values()).hasSameSizeAs(decoded.key().columns()));
                return decoded;
            });
        }
    }

    @Test
    void testOthers()
    {
        test("version.json", VersionReply::decode);
        test("definition.json", DefinitionReply::decode);
        test("token.json", SnapshotReply::decode);
        test("age.json", reply -> SnapshotAgeReply.decode(SNAPSHOT_VERIFY_FUNCTION, reply));
        test("covers.json", CoversReply::decode);
    }

    private void test(String corpus, Decoder decoder)
    {
        DamagedBytes bytes = DamagedBytes.ofResource(getClass(), corpus);
        String whole = new String(bytes.whole(), UTF_8);
        assertThat(isDecoded(decoder, whole)).as(whole).isTrue();
        int read = 0;
        int malformed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            String damaged = new String(bytes.next(random), UTF_8);
            if (isDecoded(decoder, damaged)) {
                read++;
            }
            else {
                malformed++;
            }
        }
        // Otherwise nothing would have been tested.
        assertThat(read).isPositive();
        assertThat(malformed).isGreaterThan(ROUNDS / 10);
    }

    private static boolean isDecoded(Decoder decoder, String reply)
    {
        try {
            assertThat(decoder.decode(reply)).isEqualTo(decoder.decode(reply));
            return true;
        }
        catch (UnsupportedReplyException e) {
            assertThat(e.reason()).isNotNull();
            return false;
        }
        catch (TrinoException e) {
            assertThat(e.getErrorCode()).as(reply).isEqualTo(MYSQL_PQ_MALFORMED_REPLY.toErrorCode());
            return false;
        }
        catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("Another exception than is declared, of: " + reply, e);
        }
    }
}
