package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.SQLException;
import java.util.List;

/** Checks that this session is encrypted. */
final class TlsCheck
        implements Check
{
    @Override
    public String name()
    {
        return "TLS";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        List<List<String>> rows = server.rows("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
        String cipher = rows.isEmpty() ? "" : rows.getFirst().get(1);
        return ImmutableList.of(cipher.isEmpty()
                ? Finding.warning(name(), "this session is not encrypted", "Add sslMode=VERIFY_IDENTITY to connection-url, unless Trino and MySQL run on one host")
                : Finding.ok(name(), cipher));
    }
}
