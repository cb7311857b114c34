package io.mysqlpq.trino;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the connector measures time by the monotonic clock only, which no one sets. */
class TestClocks
{
    @Test
    void testNothingReadsTheWallClock()
            throws Exception
    {
        List<String> readings = new ArrayList<>();
        List<Path> classes = classes();
        for (Path file : classes) {
            for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
                if (entry instanceof MemberRefEntry member && isWallClock(member.owner().name().stringValue(), member.name().stringValue())) {
                    readings.add("%s calls %s".formatted(file.getFileName(), member.name().stringValue()));
                }
            }
        }
        assertThat(classes).hasSizeGreaterThan(100);
        assertThat(readings).isEmpty();
        assertThat(isWallClock("java/lang/System", "currentTimeMillis")).isTrue();
    }

    private static boolean isWallClock(String owner, String method)
    {
        return (owner.equals("java/lang/System") && method.equals("currentTimeMillis"))
                || (owner.startsWith("java/time/") && method.equals("now"))
                || (owner.equals("java/time/Clock") && method.startsWith("system"))
                || (owner.equals("java/time/InstantSource") && method.equals("system"))
                || (owner.equals("java/util/Calendar") && method.equals("getInstance"))
                || (owner.equals("java/util/Date") && method.equals("<init>"));
    }

    private static List<Path> classes()
            throws IOException, URISyntaxException
    {
        Path root = Path.of(MysqlPqPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }
}
