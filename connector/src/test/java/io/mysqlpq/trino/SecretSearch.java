package io.mysqlpq.trino;

import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Collects all that is logged at the finest level while it is open, and what else may be read of a running Trino, and looks for secrets in it. */
final class SecretSearch
        implements AutoCloseable
{
    // Those through which a connection's properties go, and the log of a catalog's configuration.
    private static final List<String> LOGGERS = List.of("io.mysqlpq", "io.trino.plugin", "io.trino.bootstrap", "Bootstrap", "io.airlift.bootstrap", "com.zaxxer", "MySQL", "com.mysql", "io.opentelemetry");

    private final Map<Logger, Level> levels = new LinkedHashMap<>();
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record)
        {
            texts.add("log of %s in %s: %s".formatted(record.getLoggerName(), Thread.currentThread().getName(), new SimpleFormatter().format(record)));
        }

        @Override
        public void flush()
        {}

        @Override
        public void close()
        {}
    };

    SecretSearch()
    {
        handler.setLevel(Level.ALL);
        for (String name : LOGGERS) {
            Logger logger = Logger.getLogger(name);
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.ALL);
        }
        Logger.getLogger("").addHandler(handler);
    }

    void add(String what, Object text)
    {
        texts.add(what + ": " + text);
    }

    void add(String what, Throwable failure)
    {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        add(what, trace);
    }

    void addThreads()
    {
        Thread.getAllStackTraces().keySet().forEach(thread -> add("thread", thread.getName()));
    }

    void addManagedAttributes()
            throws JMException
    {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : server.queryNames(null, null)) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                add("attribute", "%s %s = %s".formatted(name, attribute.getName(), attributeOf(server, name, attribute)));
            }
        }
    }

    private static Object attributeOf(MBeanServer server, ObjectName name, MBeanAttributeInfo attribute)
    {
        try {
            return server.getAttribute(name, attribute.getName());
        }
        catch (JMException | RuntimeException e) {
            return e;
        }
    }

    /** What was found to be said, of those that hold the word. */
    Stream<String> textsWith(String word)
    {
        return texts.stream().filter(text -> text.contains(word));
    }

    void assertNone(String... secrets)
    {
        for (String secret : secrets) {
            assertThat(textsWith(secret)).as(secret).isEmpty();
        }
    }

    @Override
    public void close()
    {
        Logger.getLogger("").removeHandler(handler);
        levels.forEach(Logger::setLevel);
    }
}
