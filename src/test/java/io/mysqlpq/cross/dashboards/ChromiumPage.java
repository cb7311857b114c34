package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.Await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Drives one page of Chromium by its DevTools protocol.
 */
final class ChromiumPage
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWER_SECONDS = 60;
    private static final Duration STILL_WITHIN = Duration.ofSeconds(30);

    private final AtomicInteger lastCall = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private WebSocket socket;

    private ChromiumPage()
    {}

    static ChromiumPage connect(HttpClient http, URI address)
    {
        ChromiumPage page = new ChromiumPage();
        page.socket = http.newWebSocketBuilder().buildAsync(address, page.new Answers()).join();
        return page;
    }

    void size(int width, int height)
    {
        call("Emulation.setDeviceMetricsOverride", Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void cookie(String url, String name, String value)
    {
        call("Network.setCookie", Map.of("url", url, "name", name, "value", value));
    }

    void navigate(String url)
    {
        call("Page.navigate", Map.of("url", url));
    }

    /** @return the value of a JavaScript expression, which must be one that JSON can say */
    JsonNode evaluate(String expression)
    {
        JsonNode answer = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError("JavaScript failed: " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** @return a picture of what the page shows when nothing moves any more, as PNG. New bars grow for a moment, and stacked ones have gaps then. */
    byte[] stillScreenshot()
    {
        AtomicReference<byte[]> last = new AtomicReference<>(new byte[0]);
        Await.until("the page stands still", STILL_WITHIN, Duration.ofMillis(500), () -> {
            byte[] now = screenshot();
            return Arrays.equals(now, last.getAndSet(now));
        });
        return last.get();
    }

    private byte[] screenshot()
    {
        return Base64.getDecoder().decode(call("Page.captureScreenshot", Map.of("format", "png")).path("data").asText());
    }

    private JsonNode call(String method, Map<String, Object> parameters)
    {
        int call = lastCall.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(call, answer);
        try {
            socket.sendText(JSON.writeValueAsString(Map.of("id", call, "method", method, "params", parameters)), true).join();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonNode message = answer.orTimeout(ANSWER_SECONDS, SECONDS).join();
        if (message.has("error")) {
            throw new AssertionError("Chromium refused %s: %s".formatted(method, message.path("error")));
        }
        return message.path("result");
    }

    @Override
    public void close()
    {
        socket.abort();
    }

    private final class Answers
            implements WebSocket.Listener
    {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last)
        {
            text.append(part);
            if (last) {
                complete(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error)
        {
            calls.values().forEach(call -> call.completeExceptionally(error));
        }

        // Messages without a known id are events, which nobody asked for.
        private void complete(String message)
        {
            try {
                JsonNode answer = JSON.readTree(message);
                CompletableFuture<JsonNode> call = calls.remove(answer.path("id").asInt());
                if (call != null) {
                    call.complete(answer);
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
