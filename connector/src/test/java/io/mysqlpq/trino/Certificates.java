package io.mysqlpq.trino;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Makes certificate authorities, and certificates of servers that they sign, in a folder. */
record Certificates(Path folder)
{
    static final String STORE_PASSWORD = "Feigenblatt-7351";

    /** Files in the form that MySQL reads. */
    record ServerCertificate(Path authority, Path certificate, Path key)
    {}

    /** Returns a trust store that holds the authority. */
    Path authority(String name)
    {
        keytool(name, "-genkeypair", "-alias", name, "-dname", "CN=" + name, "-ext", "bc:critical=ca:true", "-keyalg", "EC", "-groupname", "secp256r1");
        Path certificate = folder.resolve(name + ".pem");
        keytool(name, "-exportcert", "-rfc", "-alias", name, "-file", certificate.toString());
        String trusting = name + "-trusting";
        keytool(trusting, "-importcert", "-noprompt", "-alias", name, "-file", certificate.toString());
        return store(trusting);
    }

    /**
     * @param names what the certificate says the server is called, as keytool writes it: {@code ip:127.0.0.1}
     */
    ServerCertificate issue(String authority, String name, String names)
    {
        keytool(authority, "-genkeypair", "-alias", name, "-signer", authority, "-dname", "CN=" + name, "-ext", "san=" + names, "-keyalg", "EC", "-groupname", "secp256r1");
        try (InputStream stream = Files.newInputStream(store(authority))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(stream, STORE_PASSWORD.toCharArray());
            return new ServerCertificate(
                    folder.resolve(authority + ".pem"),
                    writePem(name + "-certificate.pem", "CERTIFICATE", store.getCertificate(name).getEncoded()),
                    writePem(name + "-key.pem", "PRIVATE KEY", store.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded()));
        }
        catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("Cannot write the certificate " + name, e);
        }
    }

    private Path writePem(String file, String what, byte[] bytes)
            throws IOException
    {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(folder.resolve(file), "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text), US_ASCII);
    }

    private Path store(String name)
    {
        return folder.resolve(name + ".p12");
    }

    private void keytool(String store, String... arguments)
    {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store(store).toString(), "-storetype", "PKCS12", "-storepass", STORE_PASSWORD));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("Failed: %s: %s".formatted(command, output));
            }
        }
        catch (IOException e) {
            throw new IllegalStateException("Cannot run " + command, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
