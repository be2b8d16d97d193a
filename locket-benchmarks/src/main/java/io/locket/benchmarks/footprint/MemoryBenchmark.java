package io.locket.benchmarks.footprint;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;
import io.locket.benchmarks.result.Table;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Memory of Redis for a queued unique job, beside its arguments, and for a lease.
 */
public final class MemoryBenchmark {

	private static final int COUNT = 20_000;

	private static final int BULK = 500;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<List<String>> rows = new ArrayList<>();
		job(redis, "216", (i) -> JobRequest.of(EmptyJobs.UNIQUE, text(i)), 216, rows, report);
		job(redis, "8", (i) -> JobRequest.of(EmptyJobs.NUMBERED, 100_000 + i), 8, rows, report);
		redis.clear();
		rows.add(List.of("lease", Report.number(lease(redis))));
		report.section(Section.of("Memory of Redis", "`used_memory`, " + COUNT + " of each.",
				new Table(Chapter.REDIS, List.of("item", "bytes"), rows)));
	}

	private static void job(BenchmarkRedis redis, String name, IntFunction<JobRequest> request, int arguments,
			List<List<String>> rows, Report report) {
		redis.clear();
		double bytes = job(redis, "memory-" + name, request) - arguments;
		rows.add(List.of("queued unique job, beside its " + arguments + " bytes of arguments", Report.number(bytes)));
		report.gate(Gate.atMost("Bytes of a queued unique job beside its " + arguments + " bytes of arguments", bytes,
				300));
	}

	private static double job(BenchmarkRedis redis, String namespace, IntFunction<JobRequest> request) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, namespace)) {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueueAll(List.of(request.apply(-1)));
			long before = redis.usedMemory();
			for (int i = 0; i < COUNT; i += BULK) {
				jobs.enqueueAll(IntStream.range(i, i + BULK).mapToObj(request).toList());
			}
			return (double) (redis.usedMemory() - before) / COUNT;
		}
	}

	/**
	 * Returns a text whose JSON, in the array of the arguments, has 216 bytes.
	 */
	private static String text(int number) {
		String text = number + " " + UUID.randomUUID();
		return text + "x".repeat(216 - 4 - text.length());
	}

	private static double lease(BenchmarkRedis redis) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "memory-leases",
				"locket.lease.duration=1h", "locket.lease.heartbeat=20m")) {
			LeaseService leases = context.getBean(LeaseService.class);
			long before = redis.usedMemory();
			List<Lease> holding = new ArrayList<>();
			for (int i = 0; i < COUNT; i++) {
				holding.add(leases.tryAcquire("memory", i).orElseThrow());
			}
			double bytes = (double) (redis.usedMemory() - before) / COUNT;
			holding.forEach(Lease::close);
			return bytes;
		}
	}

}
