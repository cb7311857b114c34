package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

import static java.lang.Math.abs;

/**
 * Explains a figure as a fixed part, a part per row and a part per range, such that the squares of what is left are least.
 *
 * @param explained the share of the figure's variance
 */
record LinearFit(double fixed, double perRow, double perRange, double explained)
{
    private static final int UNKNOWNS = 3;
    // Rows are many: equations in millions of them keep their digits.
    private static final double MILLION = 1e6;

    static LinearFit of(List<ScalingPoint> points, ToDoubleFunction<ScalingPoint> figure)
    {
        double[][] equations = new double[UNKNOWNS][UNKNOWNS + 1];
        for (ScalingPoint point : points) {
            double[] terms = {1, point.rows() / MILLION, point.ranges(), figure.applyAsDouble(point)};
            for (int row = 0; row < UNKNOWNS; row++) {
                for (int column = 0; column <= UNKNOWNS; column++) {
                    equations[row][column] += terms[row] * terms[column];
                }
            }
        }
        eliminate(equations);
        LinearFit fit = new LinearFit(solution(equations, 0), solution(equations, 1) / MILLION, solution(equations, 2), 0);
        return new LinearFit(fit.fixed, fit.perRow, fit.perRange, fit.explained(points, figure));
    }

    // Gauss and Jordan's elimination with the largest pivot.
    private static void eliminate(double[][] equations)
    {
        for (int pivot = 0; pivot < UNKNOWNS; pivot++) {
            for (int row = pivot + 1; row < UNKNOWNS; row++) {
                if (abs(equations[row][pivot]) > abs(equations[pivot][pivot])) {
                    double[] swapped = equations[row];
                    equations[row] = equations[pivot];
                    equations[pivot] = swapped;
                }
            }
            if (abs(equations[pivot][pivot]) < 1e-9) {
                throw new IllegalStateException("A model needs tables of several sizes, and several numbers of ranges");
            }
            for (int row = 0; row < UNKNOWNS; row++) {
                double factor = row == pivot ? 0 : equations[row][pivot] / equations[pivot][pivot];
                for (int column = 0; column <= UNKNOWNS; column++) {
                    equations[row][column] -= factor * equations[pivot][column];
                }
            }
        }
    }

    private static double solution(double[][] equations, int unknown)
    {
        return equations[unknown][UNKNOWNS] / equations[unknown][unknown];
    }

    private double explained(List<ScalingPoint> points, ToDoubleFunction<ScalingPoint> figure)
    {
        double mean = points.stream().mapToDouble(figure).average().orElseThrow();
        double variance = points.stream().mapToDouble(point -> square(figure.applyAsDouble(point) - mean)).sum();
        double left = points.stream().mapToDouble(point -> square(figure.applyAsDouble(point) - at(point.rows(), point.ranges()))).sum();
        return variance == 0 ? 1 : 1 - left / variance;
    }

    double at(long rows, long ranges)
    {
        return fixed + perRow * rows + perRange * ranges;
    }

    private static double square(double value)
    {
        return value * value;
    }
}
