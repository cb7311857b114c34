package io.mysqlpq.trino.operations;

import io.trino.spi.connector.ConnectorSplit;

/** Stands for all rows of a table function, which one node asks MySQL for. */
public record OperationSplit()
        implements ConnectorSplit
{}
