package io.mysqlpq.testing;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlHome
{
    @TempDir
    private Path root;

    private Path program;

    @BeforeEach
    void makeServer()
            throws IOException
    {
        program = root.resolve("usr/sbin/mysqld");
        Files.createDirectories(program.getParent());
        Files.createFile(program);
    }

    @Test
    void testServerWithItsOwnLibraries()
            throws IOException
    {
        Path libraries = Files.createDirectories(root.resolve("usr/lib/x86_64-linux-gnu"));
        List<String> command = new MysqlHome(root, List.of(Path.of("/slow.so")), List.of()).mysqld(List.of("--port=1"));
        assertThat(command).startsWith(libraries.resolve("ld-linux-x86-64.so.2").toString(), "--library-path")
                .containsSubsequence("--preload", "/slow.so", program.toString(), "--no-defaults", "--basedir=" + root.resolve("usr"), "--port=1");
    }

    @Test
    void testServerThatRunsByTheLibrariesOfTheMachine()
            throws IOException
    {
        Files.createSymbolicLink(root.resolve("basedir"), Files.createDirectory(root.resolve("unpacked")));
        assertThat(new MysqlHome(root).mysqld(List.of())).startsWith(program.toString(), "--no-defaults", "--basedir=" + root.resolve("basedir"));
        assertThat(new MysqlHome(root, List.of(Path.of("/slow.so")), List.of()).mysqld(List.of())).startsWith("env", "LD_PRELOAD=/slow.so", program.toString());
    }

    @Test
    void testFolderWithoutServer()
    {
        Path other = root.resolve("usr");
        assertThatThrownBy(() -> new MysqlHome(other)).hasMessageContaining("No MySQL server in " + other);
    }
}
