package io.locket.benchmarks.network;

import java.util.List;
import java.util.UUID;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.lock.NetworkLocks;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.queue.NetworkWorkers;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.job.Jobs;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Locks, enqueues and a worker over a network that adds 1 ms to each direction, where
 * round trips count and Redis's time hardly does.
 */
public final class NetworkBenchmark {

	private static final long DELAY_NANOS = 1_000_000;

	private static final int JOBS = 1_500;

	private static final int ENQUEUES = 200;

	private static final String LPUSH = "floor, LPUSH";

	private static final String NOTE = " A proxy delivers each packet 1 ms late, in both directions.";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		try (DelayingProxy proxy = new DelayingProxy(redis, DELAY_NANOS)) {
			int port = proxy.port();
			NetworkLocks.run(redis, port, rounds, report, NOTE);
			enqueues(redis, port, rounds, report);
			workers(redis, port, rounds, report);
		}
	}

	private static void workers(BenchmarkRedis redis, int port, Rounds rounds, Report report) {
		try (StatefulRedisConnection<String, String> connection = redis.connect(port)) {
			List<Variant> workers = NetworkWorkers.of(redis, port, connection);
			report.comparison("A busy worker, 1 ms away", "Jobs with an empty body, 8 slots." + NOTE,
					rounds.compare(JOBS, workers), workers.get(0).name(), "job");
		}
	}

	private static void enqueues(BenchmarkRedis redis, int port, Rounds rounds, Report report) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "network-enqueue",
				"spring.data.redis.port=" + port);
				StatefulRedisConnection<String, String> connection = redis.connect(port)) {
			Jobs jobs = context.getBean(Jobs.class);
			String locket = "Locket, one by one";
			Series series = rounds.compare(ENQUEUES,
					List.of(Variant.of(LPUSH, (i) -> connection.sync().lpush("network", String.valueOf(i)), "lpush"),
							Variant.of(locket, (i) -> jobs.enqueue(EmptyJobs.UNIQUE, UUID.randomUUID().toString()))));
			report.comparison("Enqueuing, 1 ms away", "Jobs that are unique until they have ended, one thread." + NOTE,
					series, LPUSH, "job");
		}
	}

}
