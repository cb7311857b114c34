package io.mysqlpq.cross.bench;

import java.math.BigDecimal;

import static java.lang.Math.abs;
import static java.lang.Math.max;

/**
 * Compares values of two engines that round numbers differently: averages and quotients of decimals have a scale of each engine's own.
 */
final class CellComparison
{
    private static final double DOUBLE_TOLERANCE = 1e-9;
    private static final BigDecimal HALF = new BigDecimal("0.5");

    private CellComparison()
    {}

    static boolean equal(Object left, Object right)
    {
        if (left instanceof Double || right instanceof Double) {
            return left instanceof Number first && right instanceof Number second && equalDoubles(first.doubleValue(), second.doubleValue());
        }
        if (left instanceof Number && right instanceof Number) {
            return equalDecimals(decimal(left), decimal(right));
        }
        return left.equals(right);
    }

    private static boolean equalDoubles(double left, double right)
    {
        return left == right || abs(left - right) <= DOUBLE_TOLERANCE * max(abs(left), abs(right));
    }

    private static boolean equalDecimals(BigDecimal left, BigDecimal right)
    {
        // Whole numbers are counts, keys and years, which no engine rounds.
        if (left.scale() == right.scale() || left.scale() == 0 || right.scale() == 0) {
            return left.compareTo(right) == 0;
        }
        // Each is the exact value rounded to its scale, so that lies within half a unit of its last digit.
        return left.subtract(right).abs().compareTo(left.ulp().add(right.ulp()).multiply(HALF)) <= 0;
    }

    private static BigDecimal decimal(Object number)
    {
        return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(((Number) number).longValue());
    }
}
