package io.locket.benchmarks.lock;

import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;
import io.locket.lease.LeaseService;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Taking and releasing a free lock, beside two raw round trips and beside other
 * libraries.
 */
public final class LockBenchmark {

	private static final int OPERATIONS = 4_000;

	private static final String RAW = "floor, two raw round trips";

	private static final String LEASES = "Locket, LeaseService";

	private static final String ANNOTATION = "Locket, @UniqueJob";

	private static final String UNMETERED = "Locket, @UniqueJob without meters and observations";

	private static final String REGISTRY = "RedisLockRegistry";

	private static final String SHEDLOCK = "ShedLock";

	private static final String REDISSON = "Redisson";

	private static final String NO_METERS = "spring.autoconfigure.exclude="
			+ "io.locket.autoconfigure.metrics.LocketMetricsAutoConfiguration,"
			+ "io.locket.autoconfigure.observation.LocketObservationAutoConfiguration";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		Rounds more = rounds.times(2);
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "locks");
				ConfigurableApplicationContext unmetered = LocketApplication.start(redis, "unmetered", NO_METERS);
				LockPeers peers = new LockPeers(redis.host(), redis.port(),
						context.getBean(RedisConnectionFactory.class))) {
			RawLock raw = new RawLock(redis.connect());
			LeaseService leases = context.getBean(LeaseService.class);
			LongConsumer lease = (number) -> leases.tryAcquire("lock", number).orElseThrow().close();
			for (int threads : new int[] { 1, 8, 32 }) {
				Series series = more.compare(OPERATIONS * Math.min(threads, 4),
						List.of(variant(RAW, threads, raw::lockAndRelease, "set"), variant(LEASES, threads, lease),
								variant(ANNOTATION, threads, context.getBean(EmptyJobs.class)::guarded),
								variant(UNMETERED, threads, unmetered.getBean(EmptyJobs.class)::guarded),
								variant(REGISTRY, threads, peers::registry),
								variant(SHEDLOCK, threads, peers::shedLock, "set", "del"),
								variant(REDISSON, threads, peers::redisson)));
				report.comparison("Locks, " + threads + ((threads != 1) ? " threads" : " thread"),
						"Taking a free lock and releasing it. ShedLock is not safe against a late release: it deletes "
								+ "the key of any holder. " + more.count() + " rounds.",
						series, RAW, "lock");
				gates(threads, series, report);
			}
		}
	}

	private static Variant variant(String name, int threads, LongConsumer operation, String... directCommands) {
		return new ThreadedVariant(name, threads, operation, Set.of(directCommands));
	}

	private static void gates(int threads, Series series, Report report) {
		String suffix = ", threads: " + threads;
		for (String ours : List.of(LEASES, ANNOTATION)) {
			report.gate(Gate.atLeast("Rate of " + ours + ", two raw round trips = 1" + suffix,
					series.ratio(ours, RAW, Usage::perSecond), 0.9));
		}
		for (String peer : List.of(REGISTRY, REDISSON)) {
			report.gate(Gate.atLeast("Rate of " + LEASES + ", " + peer + " = 1" + suffix,
					series.ratio(LEASES, peer, Usage::perSecond), 1));
		}
		if (threads == 1) {
			report.gate(Gate.atMost("Redis's time of acquire + release, floor = 1",
					series.ratio(LEASES, RAW, Usage::redisMicrosEach), 2.2));
		}
		if (threads == 8) {
			report.gate(Gate.atMost("CPU of the JVM for a lock by " + LEASES + ", two raw round trips = 1",
					series.ratio(LEASES, RAW, Usage::cpuMicrosEach), 80.0 / 60));
			report.gate(Gate.aim("CPU of the JVM for a lock by " + LEASES + ", in us",
					series.median(LEASES, Usage::cpuMicrosEach), 80));
			report.gate(Gate.atMost("CPU of the JVM for @UniqueJob, without meters and observations = 1",
					series.ratio(ANNOTATION, UNMETERED, Usage::cpuMicrosEach), 1.1));
		}
	}

}
