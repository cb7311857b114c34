package io.mysqlpq.cross.mutants;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that a hunt tells a tester that found something from one that found nothing, and ends with the first find. */
class TestHunt
{
    private static final List<String> RAN = new ArrayList<>();

    @Test
    void testNothingFound()
    {
        FirstFailure failure = Hunt.run(Content.class.getName());
        assertThat(failure.isPresent()).isFalse();
        assertThat(failure.passed()).isEqualTo(1);
        assertThat(failure.toString()).matches("passed \\d+\\.\\d 1 tests");
    }

    @Test
    void testFirstFindEndsTheHunt()
    {
        RAN.clear();
        FirstFailure failure = Hunt.run(Finding.class.getName());
        assertThat(failure.isPresent()).isTrue();
        assertThat(failure.toString()).matches("caught \\d+\\.\\d testB\\(\\): wrong answer 1 2");
        assertThat(RAN).containsExactly("a", "b", "closed");
    }

    @Test
    void testErrorIsNoFind()
    {
        FirstFailure failure = Hunt.run(Broken.class.getName());
        assertThat(failure.toString()).matches("failed 0\\.0 TestHunt.Broken: .*no server.*");
        assertThat(failure.isPresent()).isTrue();
    }

    static class Content
    {
        @Test
        void testOne()
        {}
    }

    @TestInstance(PER_CLASS)
    @TestMethodOrder(MethodName.class)
    static class Finding
    {
        @AfterAll
        void close()
        {
            RAN.add("closed");
        }

        @Test
        void testA()
        {
            RAN.add("a");
        }

        @Test
        void testB()
        {
            RAN.add("b");
            throw new AssertionError("wrong\nanswer 1 | 2");
        }

        @Test
        void testC()
        {
            RAN.add("c");
        }
    }

    @TestInstance(PER_CLASS)
    static class Broken
    {
        private final Object server = start();

        private static Object start()
        {
            throw new IllegalStateException("no server");
        }

        @Test
        void testNothing()
        {
            assertThat(server).isNotNull();
        }
    }
}
