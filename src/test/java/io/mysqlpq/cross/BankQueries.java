package io.mysqlpq.cross;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Asks for the bank's total in several ways: each query's answer is the total at any moment.
 */
final class BankQueries
{
    static final String SUM_OF_SUMS = overTables(" + ", "(SELECT sum(amount) FROM %s)");

    static final List<String> ALL = List.of(
            "SELECT " + SUM_OF_SUMS,
            "SELECT sum(amount) FROM (%s)".formatted(overTables(" UNION ALL ", "SELECT amount FROM %s")),
            // A filter and its contrary.
            "SELECT " + overTables(" + ", "(SELECT coalesce(sum(amount), 0) FROM %1$s WHERE owner < 100 OR branch = 7) + (SELECT coalesce(sum(amount), 0) FROM %1$s WHERE owner >= 100 AND branch <> 7)"),
            // On one side the accounts of some, on the other those of the others: of each owner there are some at any moment, or none on both.
            """
            SELECT sum(coalesce(a.amount, 0) + coalesce(b.amount, 0))
            FROM (SELECT owner, sum(amount) AS amount FROM (%s) GROUP BY owner) a
            FULL JOIN (SELECT owner, sum(amount) AS amount FROM (%s) GROUP BY owner) b USING (owner)"""
                    .formatted(grouped(List.of(BankTable.CHECKING, BankTable.DEPOSIT)), grouped(List.of(BankTable.SAVINGS, BankTable.VAULT, BankTable.TILL, BankTable.SAFE))),
            // By the first column of a key, so that ranges end between groups where the groups are MySQL's.
            "SELECT sum(amount) FROM (%s)".formatted(overTables(" UNION ALL ", "SELECT branch, sum(amount) AS amount FROM %s GROUP BY branch")),
            // One account is looked up by its key, beside all others.
            "SELECT coalesce((SELECT amount FROM bank.checking WHERE %1$s), 0) + (SELECT sum(amount) FROM bank.checking WHERE NOT (%1$s)) + %2$s"
                    .formatted(Bank.BUSY_ACCOUNT, overTables(" + ", List.of(BankTable.SAVINGS, BankTable.VAULT, BankTable.DEPOSIT, BankTable.TILL, BankTable.SAFE), "(SELECT sum(amount) FROM %s)")),
            // The accounts of a moment are as many as its accounts.
            "SELECT %s + %s - (SELECT count(*) FROM bank.checking a JOIN bank.checking b USING (id)) - (SELECT count(*) FROM bank.savings a JOIN bank.savings b USING (id))"
                    .formatted(Bank.TOTAL, overTables(" + ", List.of(BankTable.CHECKING, BankTable.SAVINGS), "(SELECT count(owner) FROM %s)")),
            "SELECT %s + %s".formatted(Bank.TOTAL - Bank.ACCOUNTS, overTables(" + ", "(SELECT count(owner) FROM %s)")));

    private BankQueries()
    {}

    /** As many queries for each table, whose answers together are the total if all of them see one moment. */
    static List<String> charts(int parts)
    {
        return Stream.of(BankTable.values())
                .flatMap(table -> IntStream.range(0, parts).mapToObj(part -> "SELECT coalesce(sum(amount), 0) FROM %s WHERE owner %% %s = %s".formatted(table.qualifiedName(), parts, part)))
                .toList();
    }

    private static String grouped(List<BankTable> tables)
    {
        return overTables(" UNION ALL ", tables, "SELECT owner, sum(amount) AS amount FROM %s GROUP BY owner");
    }

    private static String overTables(String separator, String template)
    {
        return overTables(separator, List.of(BankTable.values()), template);
    }

    private static String overTables(String separator, List<BankTable> tables, String template)
    {
        return tables.stream().map(table -> template.formatted(table.qualifiedName())).collect(Collectors.joining(separator));
    }
}
