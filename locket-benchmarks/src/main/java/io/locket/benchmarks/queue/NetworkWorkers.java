package io.locket.benchmarks.queue;

import java.util.List;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * Workers over another port of the server, which a proxy serves.
 */
public final class NetworkWorkers {

	private static final int SLOTS = 8;

	private NetworkWorkers() {
	}

	/**
	 * Returns the workers.
	 * @param redis the server
	 * @param port the port of the proxy
	 * @param connection a connection through the proxy, for the floor
	 * @return the workers, the reference first
	 */
	public static List<Variant> of(BenchmarkRedis redis, int port, StatefulRedisConnection<String, String> connection) {
		String proxied = "spring.data.redis.port=" + port;
		return List.of(new FloorWorker("floor, two round trips", connection, SLOTS, 1, true),
				new FloorWorker("floor, fused", connection, SLOTS, 1, false),
				new LocketWorker(redis, "Locket, 1 ms away, batch 1", EmptyJobs.LEASED, proxied,
						"locket.worker.concurrency=" + SLOTS, "locket.worker.batch=1"),
				new LocketWorker(redis, "Locket, 1 ms away, defaults", EmptyJobs.LEASED, proxied));
	}

}
