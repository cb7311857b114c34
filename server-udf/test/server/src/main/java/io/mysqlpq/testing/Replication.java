package io.mysqlpq.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs a source, and replicas that apply what it writes. */
public final class Replication
        implements AutoCloseable
{
    private final MysqlServer source;
    private final List<MysqlServer> replicas;

    public Replication(int replicas)
    {
        this.source = server(1);
        source.execute("CREATE USER repl IDENTIFIED BY 'repl'", "GRANT REPLICATION SLAVE ON *.* TO repl");
        this.replicas = IntStream.range(0, replicas).mapToObj(i -> server(i + 2)).toList();
        this.replicas.forEach(this::start);
    }

    /** Has the replicas refuse all writes but those of the source. */
    public Replication readOnly()
    {
        await();
        replicas.forEach(replica -> replica.execute("SET GLOBAL super_read_only = ON"));
        return this;
    }

    /** Has a server apply all that the source has written and that the server does not count as executed. */
    public void start(MysqlServer replica)
    {
        replica.execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %s, SOURCE_USER = 'repl', SOURCE_PASSWORD = 'repl', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1, SOURCE_CONNECT_RETRY = 1".formatted(source.port()),
                "START REPLICA");
    }

    /** Starts a server that may become a source or a replica. */
    public static MysqlServer server(int id)
    {
        return MysqlServer.builder()
                .extension(true)
                .binaryLog()
                .option("gtid-mode", "ON")
                .option("enforce-gtid-consistency", "ON")
                .option("server-id", String.valueOf(id))
                .option("replica-parallel-workers", "4")
                .option("cte-max-recursion-depth", "1000000")
                .option("innodb-buffer-pool-size", "64M")
                .start();
    }

    public MysqlServer source()
    {
        return source;
    }

    public MysqlServer replica(int number)
    {
        return replicas.get(number);
    }

    public List<MysqlServer> replicas()
    {
        return replicas;
    }

    /** Waits until the replicas that run have applied all that the source wrote. */
    public void await()
    {
        replicas.forEach(replica -> await(replica, Duration.ofSeconds(30)));
    }

    public void await(MysqlServer replica, Duration limit)
    {
        String written = source.values("SELECT @@GLOBAL.gtid_executed").getFirst();
        Await.until("the replica has what the source has", limit, () -> replica.values("SELECT GTID_SUBSET('%s', @@GLOBAL.gtid_executed)".formatted(written.replace("\n", ""))).getFirst().equals("1"));
    }

    @Override
    public void close()
    {
        Stream.concat(replicas.stream(), Stream.of(source)).forEach(MysqlServer::close);
    }
}
