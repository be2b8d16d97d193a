package io.locket.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A Redis Cluster of three masters for tests, on free ports of this machine.
 */
public final class RedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final int MASTERS = 3;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

	private final List<RedisServer> masters = new ArrayList<>();

	private RedisCluster() {
	}

	/**
	 * Start a cluster.
	 * @return the cluster, of which every node knows every other one
	 */
	public static RedisCluster start() {
		RedisCluster cluster = new RedisCluster();
		try {
			for (int i = 0; i < MASTERS; i++) {
				cluster.masters.add(RedisServer.startBeside("--cluster-enabled", "yes"));
			}
			cluster.join();
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
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
				master.execute("CLUSTER", "MEET", first.host(), Integer.toString(first.port()));
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
	 * Return the masters.
	 * @return the masters
	 */
	public List<RedisServer> masters() {
		return List.copyOf(this.masters);
	}

	/**
	 * Return the master that has a key.
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
		this.masters.forEach(RedisServer::close);
	}

}
