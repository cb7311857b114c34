package io.mysqlpq.trino.aggregation;

/** Says that the groups are too many to be merged here. */
class TooManyGroupsException
        extends Exception
{
    TooManyGroupsException(int maxGroups)
    {
        super("More than %d groups, or than as many KB of their values".formatted(maxGroups));
    }
}
