package io.mysqlpq.trino.driver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.airlift.configuration.ConfigurationFactory;
import io.airlift.log.Logger;
import io.trino.plugin.jdbc.credential.CredentialConfig;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.plugin.jdbc.credential.file.ConfigFileBasedCredentialProviderConfig;
import io.trino.spi.TrinoException;
import io.trino.spi.security.ConnectorIdentity;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.Optional;

import static io.airlift.configuration.ConfigurationLoader.loadPropertiesFrom;
import static io.trino.spi.StandardErrorCode.CONFIGURATION_INVALID;

/** Reads user and password from a file, and again when the file has changed: some accounts get a new password every few minutes. */
final class CredentialFile
        implements CredentialProvider
{
    private static final Logger log = Logger.get(CredentialFile.class);

    private final Path file;
    @GuardedBy("this")
    @Nullable
    private Content content;

    @Inject
    CredentialFile(ConfigFileBasedCredentialProviderConfig config)
    {
        this.file = Path.of(config.getCredentialFile());
        Content _ = content();
    }

    @Override
    public Optional<String> getConnectionUser(Optional<ConnectorIdentity> identity)
    {
        return content().credentials().getConnectionUser();
    }

    @Override
    public Optional<String> getConnectionPassword(Optional<ConnectorIdentity> identity)
    {
        return content().credentials().getConnectionPassword();
    }

    // A file that is being replaced may be absent, or be no file of properties, for a moment.
    private synchronized Content content()
    {
        try {
            // A change while the file is read is noticed the next time.
            Version version = Version.of(file);
            if (content == null || !content.version().equals(version)) {
                content = new Content(version, read());
            }
        }
        catch (IOException | RuntimeException e) {
            if (content == null) {
                throw new TrinoException(CONFIGURATION_INVALID, "Failed to read connection-credential-file %s: %s".formatted(file, e.getMessage()), e);
            }
            log.warn("Failed to read connection-credential-file %s again (%s). The user and password of before stay in use", file, e.getMessage());
        }
        return content;
    }

    @GuardedBy("this")
    private CredentialConfig read()
            throws IOException
    {
        CredentialConfig credentials = new ConfigurationFactory(loadPropertiesFrom(file.toString())).build(CredentialConfig.class);
        if (content != null && content.isWhole() && !isWhole(credentials)) {
            throw new IOException("it has no user and password any more");
        }
        return credentials;
    }

    private static boolean isWhole(CredentialConfig credentials)
    {
        return credentials.getConnectionUser().isPresent() && credentials.getConnectionPassword().isPresent();
    }

    private record Content(Version version, CredentialConfig credentials)
    {
        boolean isWhole()
        {
            return CredentialFile.isWhole(credentials);
        }
    }

    /** Differs after a change, whether the file was replaced or written to. */
    private record Version(FileTime modified, long bytes, String file)
    {
        static Version of(Path file)
                throws IOException
        {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime(), attributes.size(), Objects.toString(attributes.fileKey()));
        }
    }
}
