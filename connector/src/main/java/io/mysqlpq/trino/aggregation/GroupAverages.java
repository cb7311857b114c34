package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Type;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Stream;

import static io.trino.spi.type.DoubleType.DOUBLE;

/** Divides a sum by a count. Rounds a decimal once, half away from zero, as Trino does. */
final class GroupAverages
        implements GroupFunction
{
    private final Type argument;
    private final Type result;
    private final GroupSums sum;
    private final GroupCounts count = new GroupCounts();

    GroupAverages(Type argument, Type result)
    {
        this.argument = argument;
        this.result = result;
        this.sum = new GroupSums(argument, result);
    }

    @Override
    public List<Type> partialTypes()
    {
        return Stream.concat(sum.partialTypes().stream(), count.partialTypes().stream()).toList();
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int groupCount)
    {
        sum.addRows(arguments, groups, groupCount);
        count.addRows(arguments, groups, groupCount);
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int groupCount)
    {
        sum.addPartials(partials, channel, groups, groupCount);
        count.addPartials(partials, channel + sum.partialTypes().size(), groups, groupCount);
    }

    @Override
    public void writePartials(int group, List<BlockBuilder> output)
    {
        sum.writePartials(group, output.subList(0, output.size() - 1));
        count.writePartials(group, output.subList(output.size() - 1, output.size()));
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (count.get(group) == 0) {
            output.appendNull();
        }
        else if (result instanceof DoubleType) {
            DOUBLE.writeDouble(output, sum.exact(group).doubleValue() / count.get(group));
        }
        else {
            DecimalType type = (DecimalType) result;
            BigDecimal exact = new BigDecimal(sum.exact(group), ((DecimalType) argument).getScale());
            ExactDecimals.write(type, output, exact.divide(BigDecimal.valueOf(count.get(group)), type.getScale(), RoundingMode.HALF_UP));
        }
    }

    @Override
    public long retainedBytes()
    {
        return sum.retainedBytes() + count.retainedBytes();
    }
}
