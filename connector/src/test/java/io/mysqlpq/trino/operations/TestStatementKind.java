package io.mysqlpq.trino.operations;

import io.mysqlpq.trino.operations.StatementKind.TableName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestStatementKind
{
    @Test
    void testTable()
    {
        assertThat(StatementKind.table("SELECT mysql_pq_scan('s', 'it''s', 'PRIMARY', 'x')")).contains(new TableName("s", "it's"));
        assertThat(StatementKind.table("SELECT `a` FROM `s`.`%s` WHERE 1".formatted("``".repeat(64)))).contains(new TableName("s", "`".repeat(64)));
        assertThat(StatementKind.table("SELECT 1 FROM `s`.`%s`".formatted("t".repeat(65)))).isEmpty();
    }

    // Java's patterns take a frame of the stack for each character of a group without a limit.
    @Test
    void testLongText()
    {
        assertThat(StatementKind.table("SELECT 1 /* FROM `%s` */".formatted("a".repeat(100_000)))).isEmpty();
        assertThat(StatementKind.table("SELECT mysql_pq_scan('%s', 't')".formatted("a''".repeat(100_000)))).isEmpty();
    }
}
