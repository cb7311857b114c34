package io.mysqlpq.trino.split;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Has futures fail with what failed, and not with a wrapper of it, whose message begins with the name of a class. */
final class PlainFailures
{
    private PlainFailures()
    {}

    static <T> CompletableFuture<T> of(CompletableFuture<T> future)
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
