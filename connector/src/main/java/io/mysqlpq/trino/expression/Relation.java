package io.mysqlpq.trino.expression;

/** Says how two values compare. */
public enum Relation
{
    EQUAL("=", 0b010),
    NOT_EQUAL("<>", 0b101),
    LESS("<", 0b001),
    LESS_OR_EQUAL("<=", 0b011),
    GREATER(">", 0b100),
    GREATER_OR_EQUAL(">=", 0b110);

    private final String symbol;
    // From the lowest bit on: whether it holds for less, equal and greater.
    private final int orders;

    Relation(String symbol, int orders)
    {
        this.symbol = symbol;
        this.orders = orders;
    }

    /** The relation's name in the extension's language. */
    String symbol()
    {
        return symbol;
    }

    /**
     * Returns 1 if it holds, and otherwise 0.
     *
     * @param order -1, 0 or 1
     */
    int truth(int order)
    {
        return (orders >> (order + 1)) & 1;
    }
}
