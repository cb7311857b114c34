package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs some tests of Trino's suite for JDBC connectors with other settings than the whole of it.
 *
 * <p>They are those that the way of reading can break: scans, pushdown, transactions and, where a class wants them too, rows that are found to be changed.
 */
@TestInstance(PER_CLASS)
abstract class BaseSuiteSubset
{
    private static final List<String> READS = ImmutableList.of(
            "testSelectAll",
            "testColumnsInReverseOrder",
            "testCountAll",
            "testCountColumn",
            "testAggregation",
            "testDistinct",
            "testDistinctLimit",
            "testDistinctWithOrderBy",
            "testPredicate",
            "testExactPredicate",
            "testInListPredicate",
            "testIsNullPredicate",
            "testMultipleRangesPredicate",
            "testRangePredicate",
            "testComplexQuery",
            "testCaseInsensitivePredicate",
            "testConcurrentScans",
            "testLimit",
            "testLimitMax",
            "testLimitPushdown",
            "testLimitPushdownWithDistinctAndJoin",
            "testLimitWithAggregation",
            "testTopN",
            "testTopNByMultipleFields",
            "testTopNPushdown",
            "testNullSensitiveTopNPushdown",
            "testJoin",
            "testJoinWithEmptySides",
            "testComplexJoinPushdown",
            "testAggregationPushdown",
            "testNumericAggregationPushdown",
            "testDistinctAggregationPushdown",
            "testCaseSensitiveAggregationPushdown",
            "testFilterPushdownWithAggregation",
            "testDynamicFiltering",
            "testDynamicFilteringDomainCompactionThreshold",
            "testDynamicFilteringWithLimit",
            "testTableSampleSystem",
            "testSelectInTransaction",
            "testSelectAfterInsertInTransaction",
            "testNativeQuerySelectFromNation",
            "testSelectInformationSchemaColumns",
            "testExplainAnalyze");

    private static final List<String> WRITES = ImmutableList.of(
            "testCreateTable",
            "testCreateTableAsSelect",
            "testInsert",
            "testInsertUnicode",
            "testDelete",
            "testDeleteWithSubquery",
            "testUpdate",
            "testUpdateWithPredicates",
            "testMergeSimpleQuery",
            "testMergeMultipleOperations",
            "testTruncateTable",
            "testExecuteProcedure");

    private static final int DRAWN_READS = 25;

    private final boolean writesToo;
    private StandardSuite suite;

    BaseSuiteSubset(boolean writesToo)
    {
        this.writesToo = writesToo;
    }

    /** Decides on the settings. */
    abstract StandardSuite createSuite();

    final StandardSuite suite()
    {
        return suite;
    }

    @BeforeAll
    void start()
            throws Throwable
    {
        suite = createSuite();
        for (Method method : lifecycle(BeforeAll.class).reversed()) {
            call(method);
        }
    }

    @AfterAll
    void stop()
            throws Throwable
    {
        for (Method method : lifecycle(AfterAll.class)) {
            call(method);
        }
    }

    // Those of the suite's own class first.
    private List<Method> lifecycle(Class<? extends Annotation> annotation)
    {
        return Stream.<Class<?>>iterate(suite.getClass(), type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(annotation))
                .toList();
    }

    List<String> methods()
    {
        List<String> reads = Draw.some(DRAWN_READS, READS);
        return writesToo ? ImmutableList.<String>builder().addAll(reads).addAll(WRITES).build() : reads;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void testOfTheStandardSuite(String name)
            throws Throwable
    {
        call(suite.getClass().getMethod(name));
    }

    private void call(Method method)
            throws Throwable
    {
        method.setAccessible(true);
        try {
            method.invoke(suite);
        }
        catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
