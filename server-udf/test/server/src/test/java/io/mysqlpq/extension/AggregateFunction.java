package io.mysqlpq.extension;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;

/**
 * Computes a function of an aggregation from rows, and merges the values of ranges.
 *
 * @param place of a column, or of an expression behind the columns; -1 for a count of rows
 * @param type empty of an expression
 * @param beside the place of what is given of the extreme's row
 */
record AggregateFunction(String name, int place, String layout, String type, OptionalInt beside)
{
    static final AggregateFunction COUNT_OF_ROWS = new AggregateFunction("count", -1, "", "", OptionalInt.empty());

    String option()
    {
        return place < 0 ? "[\"count\"]" : "[\"%s\", %s%s]".formatted(name, place, beside.isPresent() ? ", " + beside.getAsInt() : "");
    }

    /** Whether a batch has the sum in two columns: the upper 64 bits and the lower ones. */
    boolean isWideSum()
    {
        return name.equals("sum") && layout.equals("int128");
    }

    /** A number, or a text as {@link TablePart#comparable} writes it, whose order is that of its bytes. */
    Object ofRow(List<Object> row)
    {
        if (beside.isPresent()) {
            return ofCells(row.get(place), row.get(beside.getAsInt()));
        }
        boolean isValue = place < 0 || row.get(place) != null;
        return name.equals("count") ? isValue ? ONE : ZERO : ofCell(row.get(place));
    }

    /** An extreme, and what is beside it. */
    Object ofCells(Object cell, Object besides)
    {
        return cell == null ? null : new Extreme(ofCell(cell), TablePart.comparable(besides));
    }

    Object ofCell(Object cell)
    {
        if (cell == null || name.equals("count") || !type.matches("double|float")) {
            return TablePart.comparable(cell);
        }
        double value = type.equals("double") ? Double.longBitsToDouble(((BigInteger) cell).longValueExact()) : Float.intBitsToFloat(((BigInteger) cell).intValueExact());
        return name.equals("sum") ? new Total(value, Math.abs(value)) : (Object) value;
    }

    Object ofNothing()
    {
        return name.equals("count") ? ZERO : null;
    }

    Object merged(Object left, Object right)
    {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return switch (name) {
            case "min" -> compare(left, right) <= 0 ? left : right;
            case "max" -> compare(left, right) >= 0 ? left : right;
            default -> left instanceof Total total ? total.plus((Total) right) : ((BigInteger) left).add((BigInteger) right);
        };
    }

    private static int compare(Object left, Object right)
    {
        return switch (left) {
            // The first of equal ones is kept.
            case Extreme extreme -> compare(extreme.value(), ((Extreme) right).value());
            case String text -> text.compareTo((String) right);
            case Double number -> number.compareTo((Double) right);
            default -> ((BigInteger) left).compareTo((BigInteger) right);
        };
    }

    /** The least or greatest value, and another one of the first row that has it. */
    record Extreme(Object value, Object beside)
    {}

    /** A sum of doubles, which depends on the order of additions, and the sum of their distances from 0. */
    record Total(double sum, double distance)
    {
        Total plus(Total other)
        {
            return new Total(sum + other.sum, distance + other.distance);
        }

        boolean isClose(Object other)
        {
            return other instanceof Total total && (!Double.isFinite(distance) || Math.abs(sum - total.sum) <= 1e-9 * distance);
        }
    }
}
