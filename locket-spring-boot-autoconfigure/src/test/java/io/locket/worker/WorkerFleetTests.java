package io.locket.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.redis.RedisJobStore;
import io.locket.queue.spi.NewJob;
import io.locket.redis.RedisConnections;
import io.locket.testing.ChildJvm;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for three worker processes, one of which is killed and replaced every second. The
 * records of the bodies show that every job ended once, that no two runs of a key
 * overlapped, and that a job ran again only because its worker died, or because it lost
 * its lease, as a process does that gets no processor time.
 */
@Tag("scale")
@Tag("alone")
class WorkerFleetTests {

	private static final int JOBS = 10_000;

	private static final int KEYS = 50;

	private static final int WORKERS = 3;

	private static final int MOST_LOST = 100;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration LIMIT = Duration.ofSeconds(150);

	private final RedisServer server = RedisServer.shared();

	private final String namespace = RedisServer.newNamespace();

	private final Deque<ChildJvm> spare = new ArrayDeque<>();

	private final List<ChildJvm> working = new ArrayList<>();

	private final Map<ChildJvm, String> names = new HashMap<>();

	private final Set<String> killed = new HashSet<>();

	private final Set<Run> lost = new HashSet<>();

	private LettuceConnectionFactory connectionFactory;

	private RedisJobQueue queue;

	private RedisJobStore store;

	@BeforeEach
	void connect() {
		this.connectionFactory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.server.host(), this.server.port()));
		this.connectionFactory.afterPropertiesSet();
		this.connectionFactory.start();
		RedisConnections connections = new RedisConnections(this.connectionFactory, this.connectionFactory,
				Duration.ofSeconds(2), () -> {
				});
		JobEventPublisher events = new JobEventPublisher(List.of());
		this.queue = new RedisJobQueue(connections, LeaseKeys.of(this.namespace),
				new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 100_000, Duration.ofDays(1), 1000),
				events);
		this.store = new RedisJobStore(connections, LeaseKeys.of(this.namespace), events);
	}

	@AfterEach
	void close() {
		this.working.forEach(ChildJvm::close);
		this.spare.forEach(ChildJvm::close);
		this.store.close();
		this.queue.close();
		this.connectionFactory.destroy();
	}

	@Test
	void everyJobEndsOnceAlthoughAWorkerIsKilledEverySecond() throws InterruptedException {
		for (int i = 0; i < WORKERS + 1; i++) {
			this.spare.add(startProcess());
		}
		for (int i = 0; i < WORKERS; i++) {
			putToWork();
		}
		List<EnqueueResult> results = this.queue.enqueue(IntStream.range(0, JOBS).mapToObj(this::job).toList());
		assertThat(results).hasSize(JOBS).allMatch(EnqueueResult.Accepted.class::isInstance);
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (count(JobState.SUCCEEDED) < JOBS) {
			assertThat(System.nanoTime()).as("time that is left, with " + this.store.counts("fleet"))
				.isLessThan(deadline);
			Thread.sleep(1000);
			killOne();
			putToWork();
			this.spare.add(startProcess());
		}
		check();
	}

	private NewJob job(int number) {
		return NewJob.builder("job-" + number, "fleet", "fleet")
			.arguments("[" + number + "]")
			.unique(LockStrategy.WHILE_EXECUTING, new JobKeys().keyOf("fleet", List.of(number % KEYS), false), null)
			.leaseFor(Duration.ofSeconds(2))
			.retries(100)
			.build();
	}

	private long count(JobState state) {
		return this.store.counts("fleet").in(state);
	}

	private ChildJvm startProcess() {
		String name = "host/" + this.names.size() + "/worker";
		ChildJvm process = ChildJvm.start(WorkerProcess.class, this.server.host(), Integer.toString(this.server.port()),
				this.namespace, name);
		this.names.put(process, name);
		return process;
	}

	private void putToWork() {
		ChildJvm process = this.spare.remove();
		process.awaitLine("ready", PATIENCE);
		process.send("go");
		process.awaitLine("started", PATIENCE);
		this.working.add(process);
	}

	private void killOne() {
		ChildJvm victim = this.working.remove(ThreadLocalRandom.current().nextInt(this.working.size()));
		this.killed.add(this.names.get(victim));
		victim.kill();
		victim.close();
	}

	/**
	 * Checks the records, which are in the order in which Redis received them.
	 */
	private void check() {
		List<String> records = new StringRedisTemplate(this.connectionFactory).opsForList()
			.range("{" + this.namespace + "}:records", 0, -1);
		records.stream().filter((line) -> line.startsWith("lost ")).map(Run::of).forEach(this.lost::add);
		Map<String, Run> latestOfKey = new HashMap<>();
		Map<String, List<Run>> runsOfJob = new HashMap<>();
		for (String line : records) {
			Run run = Run.of(line);
			if (line.startsWith("begin ")) {
				Run before = latestOfKey.put(run.key(), run);
				if (before != null) {
					assertThat(before.ended || isStale(before))
						.as("%s has ended, lost its lease or died with its worker before %s begins", before, run)
						.isTrue();
					assertThat(run.fence()).as("fence of " + run).isGreaterThan(before.fence());
				}
				runsOfJob.computeIfAbsent(run.job(), (job) -> new ArrayList<>()).add(run);
			}
			else if (line.startsWith("end ")) {
				Run latest = latestOfKey.get(run.key());
				if (run.equals(latest)) {
					latest.ended = true;
				}
				else {
					assertThat(this.lost).as("the end of a run that is not the latest one of its key").contains(run);
				}
			}
		}
		assertThat(runsOfJob).hasSize(JOBS);
		long again = 0;
		for (List<Run> runs : runsOfJob.values()) {
			assertThat(runs.get(runs.size() - 1).ended).as("the last of " + runs + " has ended").isTrue();
			List<Run> repeated = runs.subList(0, runs.size() - 1);
			assertThat(repeated).allMatch(this::isStale);
			again += repeated.size();
		}
		System.out.printf("%d jobs over %d keys: %d workers killed, %d runs repeated%n", JOBS, KEYS, this.killed.size(),
				again);
		assertThat(this.lost).hasSizeLessThan(MOST_LOST);
		assertThat(count(JobState.SUCCEEDED)).isEqualTo(JOBS);
		assertThat(this.store.counts("fleet").accepted()).isEqualTo(JOBS);
		assertThat(this.store.verify()).isEmpty();
	}

	private boolean isStale(Run run) {
		return this.killed.contains(run.worker()) || this.lost.contains(run);
	}

	private static final class Run {

		private final String job;

		private final String key;

		private final long fence;

		private final String worker;

		private boolean ended;

		Run(String job, String key, long fence, String worker) {
			this.job = job;
			this.key = key;
			this.fence = fence;
			this.worker = worker;
		}

		static Run of(String line) {
			String[] words = line.split(" ");
			return new Run(words[1], words[2], Long.parseLong(words[3]), words[4]);
		}

		String job() {
			return this.job;
		}

		String key() {
			return this.key;
		}

		long fence() {
			return this.fence;
		}

		String worker() {
			return this.worker;
		}

		@Override
		public boolean equals(Object obj) {
			return obj instanceof Run other && this.fence == other.fence && this.job.equals(other.job);
		}

		@Override
		public int hashCode() {
			return Long.hashCode(this.fence);
		}

		@Override
		public String toString() {
			return this.job + " with fence " + this.fence + " on " + this.worker;
		}

	}

}
