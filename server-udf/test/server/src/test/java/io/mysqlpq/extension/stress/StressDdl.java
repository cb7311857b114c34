package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

/**
 * Drops, truncates, rebuilds, alters, discards, imports, renames and exchanges tables.
 */
final class StressDdl
        extends StressWorker
{
    private static final Object IMPORT = new Object();

    StressDdl(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        super(server, report, seed, stopped);
    }

    @Override
    void step()
            throws SQLException
    {
        String table = StressTables.CHANGING.get(random.nextInt(StressTables.CHANGING.size()));
        if (table.equals(StressTables.IMPORTED)) {
            // The other worker must not move the files that one of them imports.
            synchronized (IMPORT) {
                change(table);
            }
            return;
        }
        change(table);
    }

    private void change(String table)
            throws SQLException
    {
        boolean importable = table.equals(StressTables.IMPORTED);
        switch (random.nextInt(importable ? 16 : 10)) {
            case 0 -> recreate(table);
            case 1 -> ddl("TRUNCATE s." + table);
            case 2 -> ddl("ALTER TABLE s.%s FORCE".formatted(table));
            case 3 -> ddl("ALTER TABLE s.%s ADD COLUMN c%s INT DEFAULT 7, ALGORITHM = INSTANT".formatted(table, random.nextInt(3)));
            case 4 -> ddl("ALTER TABLE s.%s DROP COLUMN c%s, ALGORITHM = INSTANT".formatted(table, random.nextInt(3)));
            case 5 -> ddl("ALTER TABLE s.%s ROW_FORMAT = %s".formatted(table, oneOf("COMPRESSED", "DYNAMIC", "REDUNDANT")));
            case 6 -> ddl("ALTER TABLE s.%s DROP INDEX i".formatted(table));
            case 7 -> ddl("ALTER TABLE s.%s ADD INDEX i (n DESC, v)".formatted(table));
            case 8 -> ddl("RENAME TABLE s.t0 TO s.x, s.t1 TO s.t0, s.x TO s.t1");
            case 9 -> ddl("ALTER TABLE s.parts EXCHANGE PARTITION p0 WITH TABLE s.single");
            default -> discardAndImport(table);
        }
        create(table);
        tryExecute("fill", StressTables.fill(table, 2_000));
    }

    // A file copied back for an import whose table was dropped meanwhile stands in the way.
    private void create(String table)
            throws SQLException
    {
        if (!ddl(StressTables.createChanging(table))) {
            delete(table + ".ibd");
            delete(table + ".cfg");
        }
    }

    private void delete(String file)
    {
        try {
            Files.deleteIfExists(server.dataDirectory().resolve("s").resolve(file));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void recreate(String table)
            throws SQLException
    {
        ddl("DROP TABLE IF EXISTS s." + table);
        create(table);
    }

    private void discardAndImport(String table)
            throws SQLException
    {
        if (!ddl("FLUSH TABLES s.%s FOR EXPORT".formatted(table))) {
            return;
        }
        Path data = server.dataDirectory().resolve("s");
        Path copies = server.pluginDirectory().getParent();
        boolean copied = copy(data, copies, table + ".ibd") && copy(data, copies, table + ".cfg");
        execute("UNLOCK TABLES");
        if (copied && ddl("ALTER TABLE s.%s DISCARD TABLESPACE".formatted(table))) {
            copy(copies, data, table + ".ibd");
            copy(copies, data, table + ".cfg");
            if (!tryExecute("import", "ALTER TABLE s.%s IMPORT TABLESPACE".formatted(table))) {
                recreate(table);
            }
        }
    }

    private boolean ddl(String sql)
            throws SQLException
    {
        return tryExecute("ddl", sql);
    }

    private static boolean copy(Path from, Path to, String file)
    {
        try {
            Files.copy(from.resolve(file), to.resolve(file), REPLACE_EXISTING);
            return true;
        }
        catch (FileSystemException e) {
            // It is gone, or another worker or the server puts or removes one of that name just now.
            return false;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
