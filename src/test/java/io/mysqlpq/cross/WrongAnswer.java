package io.mysqlpq.cross;

/** Says that a query was answered, and not with the right answer: what torture and random queries are to find, unlike a tester that had no time or no server. */
public final class WrongAnswer
        extends AssertionError
{
    private static final long serialVersionUID = 1;

    public WrongAnswer(String message)
    {
        super(message);
    }

    /** Checks an answer; an assertion that fails there means that it is wrong. */
    static void unless(Runnable assertions)
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
