package io.mysqlpq.trino.connection;

import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.security.ConnectorIdentity;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Identifies a MySQL account: connections are never shared between accounts. */
public record Account(Optional<String> user, Optional<String> password)
{
    public Account
    {
        requireNonNull(user, "user is null");
        requireNonNull(password, "password is null");
    }

    static Account of(CredentialProvider credentials, ConnectorIdentity identity)
    {
        return new Account(
                credentials.getConnectionUser(Optional.of(identity)),
                credentials.getConnectionPassword(Optional.of(identity)));
    }

    @Override
    public String toString()
    {
        return user.orElse("(none)");
    }
}
