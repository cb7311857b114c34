package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.HostAddress;
import io.trino.spi.Node;
import io.trino.spi.NodeManager;

import java.util.Comparator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.floorMod;
import static java.util.Objects.requireNonNull;

/**
 * Has each range of a table read by the same worker in all queries, so that it finds there what was kept. Trino chooses another worker if that one is
 * busy. Ranges are dealt out in turn, so each worker gets as many as the others.
 */
final class ReadPlaces
{
    private final NodeManager nodes;

    @Inject
    ReadPlaces(NodeManager nodes)
    {
        this.nodes = requireNonNull(nodes, "nodes is null");
    }

    /** @param number of the range among those of the table */
    List<HostAddress> of(List<RemoteTableName> tables, int number)
    {
        List<Node> workers = nodes.getWorkerNodes().stream().sorted(Comparator.comparing(Node::getNodeIdentifier)).collect(toImmutableList());
        // One worker reads everything.
        return workers.size() < 2 ? ImmutableList.of() : ImmutableList.of(workers.get(floorMod(tables.toString().hashCode() + number, workers.size())).getHostAndPort());
    }
}
