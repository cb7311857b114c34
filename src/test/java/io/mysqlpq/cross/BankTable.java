package io.mysqlpq.cross;

import java.util.Random;

import static java.util.Locale.ROOT;

/**
 * Names a table of the bank, each with a key of another kind, and finds accounts in it.
 */
enum BankTable
{
    CHECKING("id BIGINT PRIMARY KEY, branch INT NOT NULL", ""),
    SAVINGS("id VARCHAR(40) PRIMARY KEY, branch INT NOT NULL", ""),
    VAULT("branch INT, id BIGINT, PRIMARY KEY (branch DESC, id)", ""),
    DEPOSIT("branch INT, id BIGINT, PRIMARY KEY (branch, id DESC)", " PARTITION BY RANGE (branch) (PARTITION p0 VALUES LESS THAN (3), PARTITION p1 VALUES LESS THAN (12), PARTITION p2 VALUES LESS THAN MAXVALUE)"),
    // No key that InnoDB could keep the rows in the order of, so they have ids that only the extension reads.
    TILL("branch INT, id BIGINT, KEY (id)", ""),
    // What is asked of it most stands in an index that is a tenth of the table.
    SAFE("id BIGINT PRIMARY KEY, branch INT NOT NULL, KEY amounts (branch, owner, amount)", "");

    static final int BRANCHES = 20;

    private final String columns;
    private final String partitions;

    BankTable(String columns, String partitions)
    {
        this.columns = columns;
        this.partitions = partitions;
    }

    String qualifiedName()
    {
        return "bank." + name().toLowerCase(ROOT);
    }

    String ddl()
    {
        return "CREATE TABLE %s (%s, owner INT NOT NULL, amount BIGINT NOT NULL, filler VARCHAR(800) NOT NULL DEFAULT '')%s".formatted(qualifiedName(), columns, partitions);
    }

    /** Accounts, by what MySQL has an index for: the first of them is found without a look at others. */
    String some(Random random)
    {
        return hasBranchInKey() ? "branch = %s AND id >= %s".formatted(random.nextInt(BRANCHES), id(random)) : "id >= " + id(random);
    }

    /** The id of an account that is new, or nearly always. */
    String id(Random random)
    {
        return this == SAVINGS ? "'%08x'".formatted(random.nextInt()) : Long.toString(random.nextLong(Bank.LARGEST_ID));
    }

    private boolean hasBranchInKey()
    {
        return this == VAULT || this == DEPOSIT;
    }
}
