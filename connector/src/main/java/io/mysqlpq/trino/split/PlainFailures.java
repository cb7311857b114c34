package io.mysqlpq.trino.split;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Makes futures fail with the failure itself, and not with a wrapper, whose message begins with the name of a class. */
public final class PlainFailures
{
    private PlainFailures()
    {}

    public static <T> CompletableFuture<T> of(CompletableFuture<T> future)
    {
        CompletableFuture<T> plain = new CompletableFuture<>();
        CompletableFuture<T> _ = future.whenComplete((value, failure) -> {
            if (failure == null) {
                plain.complete(value);
                return;
            }
            plain.completeExceptionally(failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure);
        });
        return plain;
    }
}
