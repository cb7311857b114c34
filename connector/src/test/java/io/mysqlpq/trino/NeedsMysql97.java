package io.mysqlpq.trino;

import org.junit.jupiter.api.condition.EnabledIf;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

import static io.mysqlpq.testing.TestedServer.NEEDS_9_7;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

/** Leaves a test out where the tested server is older: of what came after MySQL 8.4, which the test names. */
@Retention(RUNTIME)
@Target({METHOD, TYPE})
@EnabledIf(value = "io.mysqlpq.testing.TestedServer#isSince97", disabledReason = NEEDS_9_7)
public @interface NeedsMysql97
{}
