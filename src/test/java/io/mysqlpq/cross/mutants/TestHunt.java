package io.mysqlpq.cross.mutants;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that a hunt tells a tester that found something from one that found nothing, and ends with the first find. */
class TestHunt
{
    @Test
    void testNothingFound()
    {
        FirstFailure failure = Hunt.run(SampleTesters.Content.class.getName());
        assertThat(failure.isPresent()).isFalse();
        assertThat(failure.passed()).isEqualTo(1);
        assertThat(failure.toString()).matches("passed \\d+\\.\\d 1 tests");
    }

    @Test
    void testFirstFindEndsTheHunt()
    {
        SampleTesters.RAN.clear();
        FirstFailure failure = Hunt.run(SampleTesters.Finding.class.getName());
        assertThat(failure.isPresent()).isTrue();
        assertThat(failure.toString()).matches("caught \\d+\\.\\d testB\\(\\): wrong answer 1 2");
        assertThat(SampleTesters.RAN).containsExactly("a", "b", "closed");
    }

    @Test
    void testErrorIsNoFind()
    {
        assertThat(Hunt.run(SampleTesters.Slow.class.getName()).toString()).matches("failed \\d+\\.\\d testNothing\\(\\): .*done in time.*");
        FirstFailure failure = Hunt.run(SampleTesters.Broken.class.getName());
        assertThat(failure.toString()).matches("failed 0\\.0 SampleTesters.Broken: .*no server.*");
        assertThat(failure.isPresent()).isTrue();
    }
}
