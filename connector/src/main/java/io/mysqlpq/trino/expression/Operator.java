package io.mysqlpq.trino.expression;

import java.math.BigInteger;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;

/** Computes an integer of two. */
public enum Operator
{
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    /** Truncates the quotient. */
    DIVIDE("divide"),
    /** Has the sign of the dividend. */
    MODULO("modulo"),
    /** Rounds the quotient, and half of one away from zero. */
    DIVIDE_HALF_UP("divide_half_up"),
    FLOOR_DIVIDE("floor_divide"),
    /** Has the sign of the divisor. */
    FLOOR_MODULO("floor_modulo");

    private final String symbol;

    Operator(String symbol)
    {
        this.symbol = symbol;
    }

    /** The operator's name in the extension's language. */
    String symbol()
    {
        return symbol;
    }

    boolean isDivision()
    {
        return this.compareTo(DIVIDE) >= 0;
    }

    /** The result for all values of the operands, as wide as it is. */
    Interval interval(Interval left, Interval right)
    {
        return switch (this) {
            case ADD -> left.plus(right);
            case SUBTRACT -> left.minus(right);
            case MULTIPLY -> left.times(right);
            case DIVIDE, DIVIDE_HALF_UP, FLOOR_DIVIDE -> left.dividedBy(right, this);
            case MODULO -> left.modulo(right);
            case FLOOR_MODULO -> Interval.floorModulo(right);
        };
    }

    /** The result, however many bits it takes. The divisor is not zero. */
    BigInteger exact(BigInteger left, BigInteger right)
    {
        return switch (this) {
            case ADD -> left.add(right);
            case SUBTRACT -> left.subtract(right);
            case MULTIPLY -> left.multiply(right);
            case DIVIDE -> left.divide(right);
            case MODULO -> left.remainder(right);
            case DIVIDE_HALF_UP -> divideHalfUp(left, right);
            case FLOOR_DIVIDE -> left.subtract(floorModulo(left, right)).divide(right);
            case FLOOR_MODULO -> floorModulo(left, right);
        };
    }

    private static BigInteger divideHalfUp(BigInteger left, BigInteger right)
    {
        BigInteger[] parts = left.divideAndRemainder(right);
        boolean isHalfOrMore = parts[1].abs().multiply(TWO).compareTo(right.abs()) >= 0;
        return isHalfOrMore ? parts[0].add(left.signum() == right.signum() ? ONE : ONE.negate()) : parts[0];
    }

    private static BigInteger floorModulo(BigInteger left, BigInteger right)
    {
        BigInteger rest = left.remainder(right);
        return rest.signum() * right.signum() < 0 ? rest.add(right) : rest;
    }
}
