package io.mysqlpq.cross.mutants;

import io.mysqlpq.testing.WrongAnswer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Holds testers that fail on purpose, by a name that no build takes for tests. */
final class SampleTesters
{
    static final List<String> RAN = new ArrayList<>();

    private SampleTesters()
    {}

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
            throw new WrongAnswer("wrong\nanswer 1 | 2");
        }

        @Test
        void testC()
        {
            RAN.add("c");
        }
    }

    static class Slow
    {
        @Test
        void testNothing()
        {
            assertThat(false).as("done in time").isTrue();
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
