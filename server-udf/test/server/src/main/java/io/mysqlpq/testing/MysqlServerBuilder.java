package io.mysqlpq.testing;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the options of a test server; options override the small defaults.
 */
public final class MysqlServerBuilder
{
    private final Map<String, String> options = new LinkedHashMap<>();
    private TestingPaths paths = TestingPaths.fromSystemProperties();
    private boolean extension;
    private boolean keyring;
    private Optional<Path> data = Optional.empty();
    private List<Path> preloaded = List.of();
    private List<String> tool = List.of();

    MysqlServerBuilder()
    {
        options.put("innodb-buffer-pool-size", "128M");
        options.put("performance-schema", "ON");
        // Killing a server loses nothing that it wrote; only a crash of the machine could, and tests need no data then.
        options.put("innodb-flush-log-at-trx-commit", "2");
        options.put("innodb-flush-method", "nosync");
        options.put("disable-log-bin", "ON");
    }

    /** Whether INSTALL PLUGIN is done at the first start; the plugin's file lies in plugin_dir if it exists. */
    public MysqlServerBuilder extension(boolean extension)
    {
        this.extension = extension;
        return this;
    }

    /** Lets tables be encrypted, with keys in a file of the server's folder. */
    public MysqlServerBuilder keyring()
    {
        keyring = true;
        return this;
    }

    public MysqlServerBuilder option(String name, String value)
    {
        options.put(name.replace('_', '-'), value);
        return this;
    }

    public MysqlServerBuilder binaryLog()
    {
        options.remove("disable-log-bin");
        return this;
    }

    /** Loads a library into the server before its own. */
    public MysqlServerBuilder preload(Path library)
    {
        preloaded = List.of(library);
        return this;
    }

    /** Runs the server under a tool, which is a command that takes another one as its arguments and makes it much slower. */
    public MysqlServerBuilder under(List<String> command)
    {
        tool = List.copyOf(command);
        return this;
    }

    /** Uses another file than -Dpq.plugin.file as mysql_pq.so. */
    public MysqlServerBuilder pluginFile(Path file)
    {
        paths = new TestingPaths(paths.state(), paths.mysqlHome(), file);
        return this;
    }

    /** Uses another server, and its library, where -Dpq.mysql.other.home and -Dpq.plugin.other.file name these. */
    public MysqlServerBuilder otherServer()
    {
        paths = TestingPaths.ofOtherServer();
        return this;
    }

    /** Begins with a copy of the data folder of another server, which must not run, possibly of an earlier version. */
    public MysqlServerBuilder data(Path folder)
    {
        data = Optional.of(folder);
        return this;
    }

    public MysqlServer start()
    {
        if (extension || options.containsKey("plugin-load-add")) {
            paths.existingPluginFile();
        }
        return new MysqlServer(paths, new MysqlHome(paths.mysqlHome(), preloaded, tool), data, optionArguments(), extension, keyring);
    }

    private List<String> optionArguments()
    {
        return options.entrySet().stream()
                .map(option -> "--%s=%s".formatted(option.getKey(), option.getValue()))
                .toList();
    }
}
