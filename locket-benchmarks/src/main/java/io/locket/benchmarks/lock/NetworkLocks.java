package io.locket.benchmarks.lock;

import java.util.List;
import java.util.Set;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.lease.LeaseService;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Locks over another port of the server, which a proxy serves.
 */
public final class NetworkLocks {

	private static final int THREADS = 8;

	private static final int OPERATIONS = 1_600;

	private NetworkLocks() {
	}

	/**
	 * Compares locks.
	 * @param redis the server
	 * @param port the port of the proxy
	 * @param rounds runs variants in turns
	 * @param report takes the results
	 * @param note a sentence about the network
	 */
	public static void run(BenchmarkRedis redis, int port, Rounds rounds, Report report, String note) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "network-locks",
				"spring.data.redis.port=" + port);
				StatefulRedisConnection<String, String> connection = redis.connect(port);
				LockPeers peers = new LockPeers(redis.host(), port, context.getBean(RedisConnectionFactory.class))) {
			RawLock raw = new RawLock(connection);
			LeaseService leases = context.getBean(LeaseService.class);
			String reference = "floor, two raw round trips";
			report.comparison("Locks, 1 ms away", "Taking a free lock and releasing it, 8 threads." + note, rounds
				.compare(OPERATIONS,
						List.of(new ThreadedVariant(reference, THREADS, raw::lockAndRelease, Set.of("set")),
								new ThreadedVariant("Locket, LeaseService", THREADS,
										(number) -> leases.tryAcquire("lock", number).orElseThrow().close(), Set.of()),
								new ThreadedVariant("RedisLockRegistry", THREADS, peers::registry, Set.of()),
								new ThreadedVariant("ShedLock", THREADS, peers::shedLock, Set.of("set", "del")),
								new ThreadedVariant("Redisson", THREADS, peers::redisson, Set.of()))),
					reference, "lock");
		}
	}

}
