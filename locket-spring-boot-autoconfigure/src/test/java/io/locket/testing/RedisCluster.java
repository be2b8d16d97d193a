package io.locket.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * Redis Cluster of three masters for tests, on free ports of this machine.
 */
public final class RedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final int MASTERS = 3;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

	private final List<RedisServer> masters = new ArrayList<>();

	private final List<RedisServer> replicas = new ArrayList<>();

	private final Map<Integer, MovingSlot> slots = new HashMap<>();

	private final Function<String[], RedisServer> start;

	private RedisCluster(Function<String[], RedisServer> start) {
		this.start = start;
	}

	/**
	 * Starts a cluster.
	 * @return the cluster, in which all nodes know one another
	 */
	public static RedisCluster start() {
		return start(RedisServer::startBeside);
	}

	/**
	 * Starts a cluster of the installed Redis, with TLS for its clients and between its
	 * nodes.
	 * @param certificate the certificate of all nodes and clients
	 * @return the cluster, in which all nodes know one another
	 */
	public static RedisCluster startTls(TlsCertificate certificate) {
		return start((args) -> RedisServer.startTls(certificate, args));
	}

	private static RedisCluster start(Function<String[], RedisServer> start) {
		RedisCluster cluster = new RedisCluster(start);
		try {
			for (int i = 0; i < MASTERS; i++) {
				cluster.masters.add(cluster.startNode());
			}
			cluster.join();
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	private RedisServer startNode() {
		return this.start.apply(new String[] { "--cluster-enabled", "yes" });
	}

	private void join() {
		for (int i = 0; i < MASTERS; i++) {
			RedisServer master = this.masters.get(i);
			Stream<String> slots = IntStream.range(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS)
				.mapToObj(Integer::toString);
			master.execute(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
			master.execute("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
			if (i > 0) {
				RedisServer first = this.masters.get(0);
				master.execute("CLUSTER", "MEET", first.host(), Integer.toString(first.clientPort()));
			}
		}
		Awaitility.await()
			.atMost(START_TIMEOUT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.masters.stream().allMatch(RedisCluster::isComplete));
	}

	private static boolean isComplete(RedisServer master) {
		String info = master.execute("CLUSTER", "INFO").toString();
		return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + MASTERS)
				&& info.contains("cluster_size:" + MASTERS);
	}

	/**
	 * Starts a replica of a master, which the cluster promotes soon after the master
	 * fails.
	 * @param master the position of the master
	 * @return the replica, which is in sync
	 */
	public RedisServer addReplica(int master) {
		RedisServer replica = startNode();
		this.replicas.add(replica);
		RedisServer of = this.masters.get(master);
		replica.execute("CLUSTER", "MEET", of.host(), Integer.toString(of.clientPort()));
		String id = of.execute("CLUSTER", "MYID").toString();
		Awaitility.await()
			.atMost(START_TIMEOUT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> replica.execute("CLUSTER", "NODES").toString().contains(id));
		replica.execute("CLUSTER", "REPLICATE", id);
		Stream.concat(this.masters.stream(), this.replicas.stream())
			.forEach((node) -> node.execute("CONFIG", "SET", "cluster-node-timeout", "1500"));
		Awaitility.await()
			.atMost(START_TIMEOUT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> replica.execute("INFO", "replication").toString().contains("master_link_status:up")
					&& this.masters.stream()
						.allMatch((node) -> node.execute("CLUSTER", "NODES").toString().contains("slave " + id)));
		return replica;
	}

	/**
	 * Returns the masters.
	 * @return the masters
	 */
	public List<RedisServer> masters() {
		return List.copyOf(this.masters);
	}

	/**
	 * Returns the addresses of the masters.
	 * @return the addresses, in the form of {@code spring.data.redis.cluster.nodes}
	 */
	public String nodes() {
		return this.masters.stream()
			.map((master) -> master.host() + ":" + master.clientPort())
			.collect(Collectors.joining(","));
	}

	/**
	 * Returns the number of commands that were refused because their slot moved.
	 * @return the number of {@code TRYAGAIN} replies
	 */
	public long refusals() {
		return this.masters.stream()
			.flatMap((master) -> master.execute("INFO", "errorstats").toString().lines())
			.filter((line) -> line.startsWith("errorstat_TRYAGAIN:count="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1).trim()))
			.sum();
	}

	/**
	 * Returns the slot of a key, for a move away from its present master. All keys of a
	 * slot get the same object, which knows where the slot is after earlier moves.
	 * @param key the key
	 * @return the slot
	 */
	public MovingSlot slotOf(String key) {
		int slot = ((Long) this.masters.get(0).execute("CLUSTER", "KEYSLOT", key)).intValue();
		int source = masterOf(key);
		return this.slots.computeIfAbsent(slot,
				(number) -> new MovingSlot(this.masters, number, source, (source + 1) % MASTERS));
	}

	/**
	 * Returns the initial master of a key.
	 * @param key the key
	 * @return its position among the masters
	 */
	public int masterOf(String key) {
		Long slot = (Long) this.masters.get(0).execute("CLUSTER", "KEYSLOT", key);
		int master = 0;
		while (slot >= (master + 1) * SLOTS / MASTERS) {
			master++;
		}
		return master;
	}

	@Override
	public void close() {
		this.replicas.forEach(RedisServer::close);
		this.masters.forEach(RedisServer::close);
	}

}
