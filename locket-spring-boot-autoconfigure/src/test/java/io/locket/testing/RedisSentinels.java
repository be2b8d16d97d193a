package io.locket.testing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

import org.awaitility.Awaitility;

/**
 * A master, its replica, and a Sentinel that monitors them, on free ports of this
 * machine.
 */
public final class RedisSentinels implements AutoCloseable {

	/**
	 * The name of the master in the Sentinel.
	 */
	public static final String MASTER = "locket";

	private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

	private final RedisServer master;

	private final RedisServer replica;

	private final RedisServer sentinel;

	private RedisSentinels(RedisServer master, RedisServer replica, RedisServer sentinel) {
		this.master = master;
		this.replica = replica;
		this.sentinel = sentinel;
	}

	/**
	 * Starts the three servers.
	 * @return the servers, with a replica that is in sync
	 */
	public static RedisSentinels start() {
		return start(RedisServer::startBeside);
	}

	/**
	 * Starts three servers of the installed Redis, with TLS for their clients and between
	 * them.
	 * @param certificate the certificate of all servers and clients
	 * @return the servers, with a replica that is in sync
	 */
	public static RedisSentinels startTls(TlsCertificate certificate) {
		return start((args) -> RedisServer.startTls(certificate, args));
	}

	private static RedisSentinels start(Function<String[], RedisServer> start) {
		Deque<RedisServer> started = new ArrayDeque<>();
		try {
			started.push(start.apply(new String[0]));
			RedisServer master = started.element();
			started.push(
					start.apply(new String[] { "--replicaof", master.host(), Integer.toString(master.clientPort()) }));
			RedisServer replica = started.element();
			started.push(start.apply(new String[] { "--sentinel" }));
			RedisSentinels sentinels = new RedisSentinels(master, replica, started.element());
			sentinels.watch();
			return sentinels;
		}
		catch (RuntimeException ex) {
			started.forEach(RedisServer::close);
			throw ex;
		}
	}

	private void watch() {
		await(() -> this.replica.execute("INFO", "replication").toString().contains("master_link_status:up"));
		this.sentinel.execute("SENTINEL", "MONITOR", MASTER, this.master.host(),
				Integer.toString(this.master.clientPort()), "1");
		this.sentinel.execute("SENTINEL", "SET", MASTER, "down-after-milliseconds", "700", "failover-timeout", "5000");
		await(() -> ((List<?>) this.sentinel.execute("SENTINEL", "REPLICAS", MASTER)).size() == 1);
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(START_TIMEOUT).pollInterval(Duration.ofMillis(50)).until(condition);
	}

	/**
	 * Returns the initial master.
	 * @return the server
	 */
	public RedisServer master() {
		return this.master;
	}

	/**
	 * Returns the initial replica.
	 * @return the server
	 */
	public RedisServer replica() {
		return this.replica;
	}

	/**
	 * Returns the Sentinel.
	 * @return the server
	 */
	public RedisServer sentinel() {
		return this.sentinel;
	}

	@Override
	public void close() {
		this.sentinel.close();
		this.replica.close();
		this.master.close();
	}

}
