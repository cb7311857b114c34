package io.mysqlpq.server;

import io.trino.server.Server;

/**
 * Starts Trino, which publishes its server on Maven Central without a launcher.
 */
public final class TrinoServer
{
    private TrinoServer()
    {}

    public static void main(String[] arguments)
    {
        new Server().start(Server.class.getPackage().getImplementationVersion());
    }
}
