package io.mysqlpq.trino.expression;

import io.mysqlpq.trino.expression.Expression.Length;
import io.mysqlpq.trino.expression.Expression.Like;
import io.mysqlpq.trino.expression.Expression.Substring;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Lowers functions of VARCHAR whose other arguments are constant. */
final class TextRules
{
    private TextRules()
    {}

    static Optional<Expression> like(Type result, List<Operand> operands)
    {
        Optional<String> pattern = operands.get(1).text();
        Optional<String> escape = operands.size() > 2 ? operands.get(2).text() : Optional.empty();
        if (!isText(operands) || pattern.isEmpty() || (operands.size() > 2 && escape.isEmpty()) || TextPattern.parse(pattern.get(), escape).isEmpty()) {
            return Optional.empty();
        }
        // Trino miscounts the characters of such a pattern (483): '😀a' is not LIKE '%😀_' to it.
        if (pattern.get().contains("_") && pattern.get().codePoints().anyMatch(Character::isSupplementaryCodePoint)) {
            return Optional.empty();
        }
        return Optional.of(new Like(operands.getFirst().expression(), pattern.get(), escape));
    }

    static Optional<Expression> length(Type result, List<Operand> operands)
    {
        return isText(operands) ? Optional.of(new Length(operands.getFirst().expression())) : Optional.empty();
    }

    static Optional<Expression> substring(Type result, List<Operand> operands)
    {
        OptionalLong start = operands.get(1).integer();
        OptionalLong length = operands.size() > 2 ? operands.get(2).integer() : OptionalLong.empty();
        if (!isText(operands) || start.isEmpty() || (operands.size() > 2 && length.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new Substring(operands.getFirst().expression(), start.getAsLong(), length));
    }

    private static boolean isText(List<Operand> operands)
    {
        return operands.getFirst().type() instanceof VarcharType;
    }
}
