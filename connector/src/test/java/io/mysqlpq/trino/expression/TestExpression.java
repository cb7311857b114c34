package io.mysqlpq.trino.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.airlift.json.ObjectMapperProvider;
import io.mysqlpq.trino.expression.Expression.AddMonths;
import io.mysqlpq.trino.expression.Expression.And;
import io.mysqlpq.trino.expression.Expression.Arithmetic;
import io.mysqlpq.trino.expression.Expression.Calendar;
import io.mysqlpq.trino.expression.Expression.Coalesce;
import io.mysqlpq.trino.expression.Expression.Column;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.If;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.Length;
import io.mysqlpq.trino.expression.Expression.Like;
import io.mysqlpq.trino.expression.Expression.Not;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Expression.Or;
import io.mysqlpq.trino.expression.Expression.Substring;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.mysqlpq.trino.expression.Expression.Within;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.mysqlpq.trino.expression.Interval.OF_128_BITS;
import static org.assertj.core.api.Assertions.assertThat;

class TestExpression
{
    private static final ObjectMapper JSON = new ObjectMapperProvider().get();
    private static final Expression A = column("a", -10, 20);
    private static final Expression B = column("b", 1, 3);
    private static final Expression WIDE = new Column("w", Optional.of(OF_128_BITS));
    private static final Expression TEXT = new Column("t", Optional.empty());
    private static final Expression LESS = new Comparison(Relation.LESS, A, B);

    record Case(Expression expression, String form, Optional<Interval> range, boolean canFail)
    {}

    static List<Case> cases()
    {
        return ImmutableList.of(
                new Case(A, "['column','a']", interval(-10, 20), false),
                new Case(new IntegerConstant(BigInteger.TEN.pow(30)), "['integer','1000000000000000000000000000000']", Optional.of(new Interval(BigInteger.TEN.pow(30), BigInteger.TEN.pow(30))), false),
                new Case(new TextConstant("ä'"), "['text','ä\\'']", Optional.empty(), false),
                new Case(arithmetic(Operator.ADD, A, B), "['+',['column','a'],['column','b']]", interval(-9, 23), false),
                new Case(arithmetic(Operator.SUBTRACT, A, B), "['-',['column','a'],['column','b']]", interval(-13, 19), false),
                new Case(arithmetic(Operator.MULTIPLY, A, B), "['*',['column','a'],['column','b']]", interval(-30, 60), false),
                new Case(arithmetic(Operator.DIVIDE, A, B), "['divide',['column','a'],['column','b']]", interval(-10, 20), false),
                new Case(arithmetic(Operator.DIVIDE, B, A), "['divide',['column','b'],['column','a']]", interval(-3, 3), true),
                new Case(arithmetic(Operator.MODULO, A, B), "['modulo',['column','a'],['column','b']]", interval(-2, 2), false),
                new Case(arithmetic(Operator.DIVIDE_HALF_UP, A, column("c", -4, -3)), "['divide_half_up',['column','a'],['column','c']]", interval(-7, 3), false),
                new Case(arithmetic(Operator.FLOOR_DIVIDE, A, B), "['floor_divide',['column','a'],['column','b']]", interval(-10, 20), false),
                new Case(arithmetic(Operator.FLOOR_MODULO, A, B), "['floor_modulo',['column','a'],['column','b']]", interval(0, 2), false),
                new Case(arithmetic(Operator.ADD, WIDE, B), "['+',['column','w'],['column','b']]", Optional.of(new Interval(OF_128_BITS.low().add(BigInteger.ONE), OF_128_BITS.high())), true),
                new Case(new Within(A, Interval.of(-1, 1), "%3$s"), "['within',['column','a'],'-1','1']", interval(-1, 1), true),
                new Case(new Within(A, Interval.of(-99, 99), "%3$s"), "['within',['column','a'],'-99','99']", interval(-10, 20), false),
                new Case(LESS, "['<',['column','a'],['column','b']]", interval(0, 1), false),
                new Case(new And(ImmutableList.of(LESS, LESS)), "['and',['<',['column','a'],['column','b']],['<',['column','a'],['column','b']]]", interval(0, 1), false),
                new Case(new Or(ImmutableList.of(LESS, new Not(LESS))), "['or',['<',['column','a'],['column','b']],['not',['<',['column','a'],['column','b']]]]", interval(0, 1), false),
                new Case(new IsNull(TEXT), "['is_null',['column','t']]", interval(0, 1), false),
                new Case(new If(LESS, A, B), "['if',['<',['column','a'],['column','b']],['column','a'],['column','b']]", interval(-10, 20), false),
                new Case(new NullIf(LESS, B), "['null_if',['<',['column','a'],['column','b']],['column','b']]", interval(1, 3), false),
                new Case(new Coalesce(ImmutableList.of(TEXT, new TextConstant(""))), "['coalesce',['column','t'],['text','']]", Optional.empty(), false),
                new Case(new Calendar(CalendarField.YEAR, A), "['year',['column','a']]", interval(1969, 1970), false),
                new Case(new Calendar(CalendarField.DAY_OF_YEAR, A), "['day_of_year',['column','a']]", interval(1, 366), false),
                new Case(new AddMonths(A, -1), "['add_months',['column','a'],'-1']", interval(-40, -11), false),
                new Case(new Like(TEXT, "a#%", Optional.of("#")), "['like',['column','t'],'a#%','#']", interval(0, 1), false),
                new Case(new Like(TEXT, "a%", Optional.empty()), "['like',['column','t'],'a%']", interval(0, 1), false),
                new Case(new Length(TEXT), "['length',['column','t']]", interval(0, Integer.MAX_VALUE), false),
                new Case(new Substring(TEXT, -3, OptionalLong.of(2)), "['substring',['column','t'],'-3','2']", Optional.empty(), false),
                new Case(new Substring(TEXT, 2, OptionalLong.empty()), "['substring',['column','t'],'2']", Optional.empty(), false));
    }

    private static Expression column(String name, long low, long high)
    {
        return new Column(name, interval(low, high));
    }

    private static Expression arithmetic(Operator operator, Expression left, Expression right)
    {
        return new Arithmetic(operator, left, right);
    }

    private static Optional<Interval> interval(long low, long high)
    {
        return Optional.of(Interval.of(low, high));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void testForms(Case expected)
            throws JsonProcessingException
    {
        Expression expression = expected.expression();
        assertThat(ExtensionForm.write(expression).toString().replace('"', '\'')).isEqualTo(expected.form().replace("\\'", "'"));
        assertThat(expression.range()).isEqualTo(expected.range());
        assertThat(expression.canFail()).isEqualTo(expected.canFail());
        assertThat(JSON.readValue(JSON.writeValueAsString(expression), Expression.class)).isEqualTo(expression);
        assertThat(expression.withOperands(expression.operands())).isEqualTo(expression);
    }

    @Test
    void testIntervalsOfTypes()
    {
        assertThat(Interval.ofDigits(2)).isEqualTo(Interval.of(-99, 99));
        assertThat(Interval.ofDigits(0)).isEqualTo(Interval.of(0, 0));
        assertThat(Interval.ofBits(8)).isEqualTo(Interval.of(Byte.MIN_VALUE, Byte.MAX_VALUE));
    }

    @Test
    void testColumns()
    {
        assertThat(new If(LESS, A, new Length(TEXT)).columns()).containsExactly("a", "b", "t");
    }

    @Test
    void testOperandsThatAreSkippedAreNull()
    {
        Expression skips = new IsNull(TEXT);
        Expression quotient = arithmetic(Operator.DIVIDE, B, A);
        assertThat(Terms.skippedIf(skips, quotient)).isEqualTo(arithmetic(Operator.DIVIDE, new NullIf(skips, B), A));
        assertThat(Terms.skippedIf(skips, new Within(arithmetic(Operator.ADD, A, quotient), Interval.of(0, 0), "")))
                .isEqualTo(new Within(arithmetic(Operator.ADD, new NullIf(skips, A), arithmetic(Operator.DIVIDE, new NullIf(skips, B), A)), Interval.of(0, 0), ""));
        assertThat(Terms.skippedIf(skips, LESS)).isSameAs(LESS);
    }
}
