package io.locket.benchmarks.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.redis.FloorScript;
import io.locket.benchmarks.result.Gate;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Enqueuing of unique jobs, one by one and in bulk, beside the floor.
 */
public final class EnqueueBenchmark {

	private static final int JOBS = 4_000;

	private static final int BULK = 100;

	private static final String LPUSH = "floor, LPUSH one by one";

	private static final String FLOOR = "floor, script one by one";

	private static final String FLOOR_BULK = "floor, script for 100";

	private static final String LOCKET = "Locket, one by one";

	private static final String LOCKET_BULK = "Locket, bulk of 100";

	private static final String LATER = "Locket, one by one, due later";

	private static final String BULK_LATER = "Locket, bulk of 100, due later";

	private static final String REPLACEMENTS = "Locket, one by one, due later, replaced twice";

	private static final EnqueueOptions IN_AN_HOUR = EnqueueOptions.in(Duration.ofHours(1));

	private static final String BULK_DUPLICATES = "Locket, bulk of 100, 10 % duplicates";

	private static final String CLAIMS = "Locket, one by one, unique for a period";

	private static final String HALF_DUPLICATES = "Locket, one by one, 50 % duplicates";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, "enqueue");
				ConfigurableApplicationContext other = LocketApplication.start(redis, "enqueue-duplicates");
				ConfigurableApplicationContext third = LocketApplication.start(redis, "enqueue-claims");
				ConfigurableApplicationContext fourth = LocketApplication.start(redis, "enqueue-replacements")) {
			List<Variant> variants = new ArrayList<>(variants(redis, context.getBean(Jobs.class)));
			variants.addAll(duplicates(other.getBean(Jobs.class)));
			variants.addAll(claims(third.getBean(Jobs.class)));
			variants.addAll(replacements(fourth.getBean(Jobs.class)));
			Series series = rounds.compare(JOBS, variants);
			report.comparison("Enqueuing",
					"Jobs that are unique until they have ended, from one thread. Some variants enqueue duplicates, which are"
							+ " refused, or replace delayed jobs.",
					series, LPUSH, "job");
			report.gate(Gate.atMost("Redis's time of an enqueue if half of all jobs are duplicates, none = 1",
					series.ratio(HALF_DUPLICATES, LOCKET, Usage::redisMicrosEach), 1));
			report.gate(Gate.atMost("Redis's time of a job of a bulk if 10 % are duplicates, none = 1",
					series.ratio(BULK_DUPLICATES, LOCKET_BULK, Usage::redisMicrosEach), 1.2));
			report.gate(Gate.atMost("Redis's time of a job of a bulk that is due later, due now = 1",
					series.ratio(BULK_LATER, LOCKET_BULK, Usage::redisMicrosEach), 1.5));
			report.gate(Gate.atMost("Redis's time of an enqueue for a period, until it has ended = 1",
					series.ratio(CLAIMS, LOCKET, Usage::redisMicrosEach), 2));
			report.gate(Gate.atMost("Redis's time of a delayed enqueue if two of three replace a job, none = 1",
					series.ratio(REPLACEMENTS, LATER, Usage::redisMicrosEach), 2));
			report.gate(Gate.atMost("Redis's time of a unique enqueue, floor = 1",
					series.ratio(LOCKET, FLOOR, Usage::redisMicrosEach), 3));
			report.gate(Gate.atMost("Redis's time of a unique enqueue in bulk of 100, floor = 1",
					series.ratio(LOCKET_BULK, FLOOR_BULK, Usage::redisMicrosEach), 2.5));
			report.gate(Gate.atLeast("Rate of unique enqueues, LPUSH = 1",
					series.ratio(LOCKET, LPUSH, Usage::perSecond), 0.5));
			report.gate(Gate.atLeast("Rate of unique enqueues in bulk of 100, LPUSH one by one = 1",
					series.ratio(LOCKET_BULK, LPUSH, Usage::perSecond), 3));
		}
	}

	private static List<Variant> variants(BenchmarkRedis redis, Jobs jobs) {
		StatefulRedisConnection<String, String> connection = redis.connect();
		FloorScript enqueue = new FloorScript(connection, "enqueue");
		String[] keys = { "floor:queue", "floor:claim:" };
		return List.of(Variant.of(LPUSH, (i) -> connection.sync().lpush("floor:list", item(unique())), "lpush"),
				Variant.of(FLOOR, (i) -> {
					String text = unique();
					enqueue.<Long>call(ScriptOutputType.INTEGER, keys, "60000", text, item(text));
				}), Variant.of(FLOOR_BULK, (i) -> {
					if (i % BULK == 0) {
						enqueue.<Long>call(ScriptOutputType.INTEGER, keys, claims());
					}
				}), Variant.of(LOCKET, (i) -> jobs.enqueue(EmptyJobs.UNIQUE, unique())),
				Variant.of(LOCKET_BULK, (i) -> {
					if (i % BULK == 0) {
						jobs.enqueueAll(requests(0));
					}
				}));
	}

	private static String[] claims() {
		String[] args = new String[1 + 2 * BULK];
		args[0] = "60000";
		for (int i = 1; i < args.length; i += 2) {
			args[i] = unique();
			args[i + 1] = item(args[i]);
		}
		return args;
	}

	/**
	 * Returns jobs for a bulk.
	 * @param each of how many jobs one is a duplicate, 0 for none
	 */
	private static List<JobRequest> requests(int each) {
		List<JobRequest> requests = new ArrayList<>(BULK);
		for (int i = 0; i < BULK; i++) {
			boolean isDuplicate = each > 0 && i % each == each - 1;
			requests.add(isDuplicate ? requests.get(i - 1) : JobRequest.of(EmptyJobs.UNIQUE, unique()));
		}
		return requests;
	}

	private static List<JobRequest> delayedRequests() {
		return requests(0).stream().map((request) -> request.with(IN_AN_HOUR)).toList();
	}

	private static List<Variant> duplicates(Jobs jobs) {
		return List.of(duplicates(jobs, "Locket, one by one, 10 % duplicates", 10),
				duplicates(jobs, HALF_DUPLICATES, 2), Variant.of(BULK_DUPLICATES, (i) -> {
					if (i % BULK == 0) {
						jobs.enqueueAll(requests(10));
					}
				}));
	}

	private static Variant duplicates(Jobs jobs, String name, int each) {
		return duplicates(jobs, EmptyJobs.UNIQUE, name, each);
	}

	private static Variant duplicates(Jobs jobs, String job, String name, int each) {
		AtomicReference<String> last = new AtomicReference<>();
		return Variant.of(name, (i) -> {
			if (i % each < each - 1) {
				last.set(unique());
			}
			jobs.enqueue(job, last.get());
		});
	}

	/**
	 * Returns variants with jobs that are unique for a period.
	 */
	private static List<Variant> claims(Jobs jobs) {
		return List.of(Variant.of(CLAIMS, (i) -> jobs.enqueue(EmptyJobs.CLAIMING_TEXT, unique())),
				duplicates(jobs, EmptyJobs.CLAIMING_TEXT, CLAIMS + ", 50 % duplicates", 2));
	}

	/**
	 * Returns variants with delayed jobs, of which some replace others.
	 */
	private static List<Variant> replacements(Jobs jobs) {
		AtomicReference<String> last = new AtomicReference<>();
		return List.of(Variant.of(LATER, (i) -> jobs.enqueue(IN_AN_HOUR, EmptyJobs.UNIQUE, unique())),
				Variant.of(BULK_LATER, (i) -> {
					if (i % BULK == 0) {
						jobs.enqueueAll(delayedRequests());
					}
				}), Variant.of(REPLACEMENTS, (i) -> {
					if (i % 3 == 0) {
						last.set(unique());
					}
					jobs.enqueue(IN_AN_HOUR, EmptyJobs.REPLACING_TEXT, last.get(), i);
				}));
	}

	private static String unique() {
		return UUID.randomUUID().toString();
	}

	private static String item(String text) {
		return "floor:queue|" + text + "|" + text + "|{\"job\":\"unique\",\"arguments\":[\"" + text + "\"]}";
	}

}
