package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.server.PartitionReader.Partition;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestPartitionNames
{
    private static final Partition A = new Partition("a", "a");
    private static final Partition B = new Partition("b sub", "b_b sub");

    @Test
    void testThoseThatAreListed()
    {
        assertThat(new PartitionNames("a").select(ImmutableList.of(A, B))).containsExactly("a");
        assertThat(new PartitionNames("a,b_b sub").select(ImmutableList.of(B, A))).containsExactly("b sub", "a");
        assertThat(new PartitionNames("gone").select(ImmutableList.of(A, B))).isEmpty();
    }

    // A partition too many costs a statement, one too few costs rows.
    @Test
    void testAllIfNamesAreAmbiguous()
    {
        List<Partition> partitions = ImmutableList.of(A, B, new Partition("a,c", "a,c"));
        assertThat(new PartitionNames("a,c").select(partitions)).containsExactly("a", "b sub", "a,c");
        List<Partition> alike = ImmutableList.of(new Partition("y", "x_y"), new Partition("x_y", "x_y"), A);
        assertThat(new PartitionNames("x_y").select(alike)).containsExactly("y", "x_y");
    }
}
