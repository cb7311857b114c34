package io.mysqlpq.trino.doctor;

import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Says what one check found, and what can be done about it.
 *
 * @param advice empty where there is nothing to do
 */
public record Finding(String check, Status status, String found, Optional<String> advice)
{
    /** How bad it is. */
    public enum Status
    {
        OK,
        /** Something works less well, or not in all cases. */
        WARNING,
        /** Queries fail, or are not read in parallel. */
        PROBLEM;

        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ENGLISH);
        }
    }

    public Finding
    {
        requireNonNull(check, "check is null");
        requireNonNull(status, "status is null");
        requireNonNull(found, "found is null");
        requireNonNull(advice, "advice is null");
    }

    static Finding ok(String check, String found)
    {
        return new Finding(check, Status.OK, found, Optional.empty());
    }

    /** Reports what is right, with advice for those who wish it otherwise. */
    static Finding ok(String check, String found, String advice)
    {
        return new Finding(check, Status.OK, found, Optional.of(advice));
    }

    static Finding warning(String check, String found, String advice)
    {
        return new Finding(check, Status.WARNING, found, Optional.of(advice));
    }

    public static Finding problem(String check, String found, String advice)
    {
        return new Finding(check, Status.PROBLEM, found, Optional.of(advice));
    }
}
