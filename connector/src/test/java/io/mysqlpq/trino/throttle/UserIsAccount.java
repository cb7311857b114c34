package io.mysqlpq.trino.throttle;

import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.security.ConnectorIdentity;

import java.util.Optional;

/** Logs each user in as the account of the same name, which has no password. */
final class UserIsAccount
        implements CredentialProvider
{
    @Override
    public Optional<String> getConnectionUser(Optional<ConnectorIdentity> identity)
    {
        return identity.map(ConnectorIdentity::getUser);
    }

    @Override
    public Optional<String> getConnectionPassword(Optional<ConnectorIdentity> identity)
    {
        return Optional.of("");
    }
}
