package io.mysqlpq.testing;

/** Says that an answer was given, and is not the right one: what the tests of planted faults are to find, unlike a test that had no time or no server. */
public final class WrongAnswer
        extends AssertionError
{
    private static final long serialVersionUID = 1;

    public WrongAnswer(String message)
    {
        super(message);
    }

    /** Checks an answer; an assertion that fails there means that it is wrong. */
    public static void unless(Runnable assertions)
    {
        try {
            assertions.run();
        }
        catch (AssertionError e) {
            WrongAnswer wrong = new WrongAnswer(e.getMessage());
            wrong.setStackTrace(e.getStackTrace());
            throw wrong;
        }
    }
}
