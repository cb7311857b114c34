package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Talks to a process that reads whole columns, such as ConnectorX in Python, a line each way for a query.
 */
record ReaderProcess(String name, Process process, BufferedReader replies, Writer requests)
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "l_orderkey";
    private static final int PARTITIONS = 4;

    /** @param name of the reader */
    static ReaderProcess start(String name, ProcessBuilder command)
    {
        try {
            Process process = command.redirectError(Redirect.INHERIT).start();
            return new ReaderProcess(name, process, process.inputReader(UTF_8), process.outputWriter(UTF_8));
        }
        catch (IOException e) {
            throw new UncheckedIOException("%s does not start by %s".formatted(name, command.command()), e);
        }
    }

    /** @param digest whether to sum up all columns, which takes time of its own */
    JsonNode read(String sql, boolean digest)
    {
        try {
            requests.write(JSON.writeValueAsString(Map.of("sql", sql, "key", KEY, "partitions", PARTITIONS, "digest", digest)) + "\n");
            requests.flush();
            String reply = replies.readLine();
            if (reply == null) {
                throw new IllegalStateException(name + " ended");
            }
            return checked(JSON.readTree(reply));
        }
        catch (IOException e) {
            throw new UncheckedIOException(name + " does not answer", e);
        }
    }

    private JsonNode checked(JsonNode reply)
    {
        if (reply.has("error")) {
            throw new IllegalStateException(name + " failed: " + reply.get("error").asText());
        }
        return reply;
    }

    @Override
    public void close()
    {
        process.destroy();
    }
}
