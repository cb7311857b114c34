package io.mysqlpq.extension;

import java.util.List;
import java.util.Locale;

/**
 * Lists the ways in which MySQL gives an account rights on the columns a, b, c and d of s.t, or withholds them.
 */
enum KindOfGrant
{
    NOTHING,
    PROCESS("GRANT PROCESS ON *.* TO %1$s"),
    EVERYTHING_BUT_SELECT("GRANT INSERT, UPDATE, DELETE, INDEX, ALTER, DROP, TRIGGER, REFERENCES, SHOW VIEW ON s.* TO %1$s", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO %1$s"),
    GLOBAL("GRANT SELECT ON *.* TO %1$s"),
    SCHEMA("GRANT SELECT ON s.* TO %1$s"),
    TABLE("GRANT SELECT ON s.t TO %1$s"),
    OTHER_TABLE("GRANT SELECT ON s.u TO %1$s"),
    WHOLE_KEY("GRANT SELECT (a, b) ON s.t TO %1$s"),
    PART_OF_KEY("GRANT SELECT (a) ON s.t TO %1$s"),
    BOTH_KEYS("GRANT SELECT (a, b, c) ON s.t TO %1$s"),
    SECONDARY_KEY("GRANT SELECT (c) ON s.t TO %1$s"),
    NO_KEY("GRANT SELECT (d) ON s.t TO %1$s"),
    NO_KEY_BUT_WRITES("GRANT SELECT (d), UPDATE (a, b), INSERT ON s.t TO %1$s"),
    ALL_COLUMNS("GRANT SELECT (a, b, c, d) ON s.t TO %1$s"),
    ALL_COLUMNS_AND_SETTINGS("GRANT SELECT (a, b, c, d) ON s.t TO %1$s", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO %1$s"),
    TABLE_AND_SETTINGS("GRANT SELECT ON s.t TO %1$s", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO %1$s"),
    IDLE_ROLE("CREATE ROLE %1$s_r", "GRANT SELECT ON *.* TO %1$s_r", "GRANT %1$s_r TO %1$s"),
    ROLE("CREATE ROLE %1$s_r", "GRANT SELECT ON s.t TO %1$s_r", "GRANT %1$s_r TO %1$s", "SET DEFAULT ROLE %1$s_r TO %1$s"),
    ROLE_OF_A_ROLE("CREATE ROLE %1$s_r, %1$s_inner", "GRANT SELECT (a, b) ON s.t TO %1$s_inner", "GRANT %1$s_inner TO %1$s_r", "GRANT %1$s_r TO %1$s", "SET DEFAULT ROLE %1$s_r TO %1$s"),
    ROLE_FOR_HALF("CREATE ROLE %1$s_r", "GRANT SELECT (b) ON s.t TO %1$s_r", "GRANT SELECT (a, d) ON s.t TO %1$s", "GRANT %1$s_r TO %1$s", "SET DEFAULT ROLE %1$s_r TO %1$s"),
    REVOKED_SCHEMA("GRANT SELECT ON *.* TO %1$s", "REVOKE SELECT ON s.* FROM %1$s"),
    REVOKED_SCHEMA_BUT_TABLE("GRANT SELECT ON *.* TO %1$s", "REVOKE SELECT ON s.* FROM %1$s", "GRANT SELECT ON s.t TO %1$s"),
    REVOKED_SCHEMA_BUT_KEY("GRANT SELECT ON *.* TO %1$s", "REVOKE SELECT ON s.* FROM %1$s", "GRANT SELECT (a, b) ON s.t TO %1$s"),
    REVOKED_SCHEMA_BUT_ROLE("CREATE ROLE %1$s_r", "GRANT SELECT (d) ON s.t TO %1$s_r", "GRANT SELECT ON *.* TO %1$s", "REVOKE SELECT ON s.* FROM %1$s", "GRANT %1$s_r TO %1$s", "SET DEFAULT ROLE %1$s_r TO %1$s"),
    REVOKED_OTHER_SCHEMA("GRANT SELECT ON *.* TO %1$s", "REVOKE SELECT ON mysql.* FROM %1$s");

    private final List<String> statements;

    KindOfGrant(String... statements)
    {
        this.statements = List.of(statements);
    }

    String account()
    {
        return "with_" + name().toLowerCase(Locale.ENGLISH);
    }

    String[] statements()
    {
        return statements.stream().map(statement -> statement.formatted(account())).toArray(String[]::new);
    }
}
