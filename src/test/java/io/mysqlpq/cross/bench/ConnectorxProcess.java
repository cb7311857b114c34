package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Talks to the Python process that runs ConnectorX, a line each way for a query.
 */
record ConnectorxProcess(Process process, BufferedReader replies, Writer requests)
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "l_orderkey";
    private static final int PARTITIONS = 4;

    static ConnectorxProcess start(Path python, RunningServers servers)
    {
        try {
            ProcessBuilder builder = new ProcessBuilder(python.toString(), "-c", TpchLoader.resource("/bench/connectorx.py")).redirectError(Redirect.INHERIT);
            // Not an argument, which everybody could read.
            builder.environment().put("PQ_MYSQL_URL", "mysql://root:%s@127.0.0.1:%d/tpch".formatted(URLEncoder.encode(servers.mysqlPassword(), UTF_8), servers.mysqlPort()));
            Process process = builder.start();
            return new ConnectorxProcess(process, process.inputReader(UTF_8), process.outputWriter(UTF_8));
        }
        catch (IOException e) {
            throw new UncheckedIOException("ConnectorX does not start by " + python, e);
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
                throw new IllegalStateException("ConnectorX ended");
            }
            return checked(JSON.readTree(reply));
        }
        catch (IOException e) {
            throw new UncheckedIOException("ConnectorX does not answer", e);
        }
    }

    private static JsonNode checked(JsonNode reply)
    {
        if (reply.has("error")) {
            throw new IllegalStateException("ConnectorX failed: " + reply.get("error").asText());
        }
        return reply;
    }

    @Override
    public void close()
    {
        process.destroy();
    }
}
