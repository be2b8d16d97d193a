package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.BulkEnqueueException;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobStore;
import io.locket.testing.RedisServer;
import io.locket.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for two replicas under load, while Redis closes their connections, forgets their
 * scripts and does not reply for a while.
 */
@Tag("scale")
@Tag("alone")
class DisturbedRedisTests {

	private static final int DISTURBANCES = 80;

	/**
	 * Number of runs that must start between two disturbances.
	 */
	private static final int PROGRESS = 100;

	/**
	 * Maximum number of accepted jobs that have not started.
	 */
	private static final int BACKLOG = 300;

	private static final int KEYS = 10;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final long seed = Seeds.of(DisturbedRedisTests.class);

	private final Random random = new Random(this.seed);

	private final Ledger ledger = new Ledger();

	private final String namespace = RedisServer.newNamespace();

	@Test
	void nothingIsLostOrRefusedAndNothingOverlapsAndNoLeaseIsReportedLost() {
		System.out.println("Disturbed Redis, seed " + this.seed);
		try (RedisServer server = RedisServer.start()) {
			replica(server).run((first) -> replica(server).run((second) -> {
				disturb(server, List.of(first, second));
				JobStore store = first.getBean(JobStore.class);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(Ledger.ended(store)).isEqualTo(this.ledger.accepted.size()));
				assertThat(this.ledger.overlaps).as("runs of one key at once").hasValue(0);
				assertThat(this.ledger.lost).as("leases reported as lost").hasValue(0);
				assertThat(this.ledger.refusals).as("calls that failed").hasValue(0);
				assertThat(notRun()).as("accepted jobs that did not run")
					.allMatch((id) -> stateOf(store, id) == JobState.SUPERSEDED);
				assertThat(store.verify()).isEmpty();
			}));
		}
	}

	private ApplicationContextRunner replica(RedisServer server) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					WorkerAutoConfiguration.class))
			.withPropertyValues(server.properties())
			.withPropertyValues("locket.namespace=" + this.namespace, "locket.lease.duration=10s",
					"locket.redis.command-timeout=3s", "locket.retry.backoff.initial=50ms",
					"locket.retry.backoff.max=200ms", "locket.history.max-size=100000",
					"locket.worker.queues=default,other", "locket.worker.concurrency=6")
			.withBean(LedgerJobs.class, () -> new LedgerJobs(this.ledger));
	}

	private void disturb(RedisServer server, List<ApplicationContext> replicas) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		ExecutorService load = Executors.newCachedThreadPool();
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < replicas.size(); i++) {
				String name = "replica" + i;
				Jobs jobs = replicas.get(i).getBean(Jobs.class);
				LedgerJobs calls = replicas.get(i).getBean(LedgerJobs.class);
				all.add(load.submit(() -> enqueueOneByOne(jobs, name + "-one", over)));
				all.add(load.submit(() -> enqueueInBulk(jobs, name + "-bulk", over)));
				all.add(load.submit(() -> callDirectly(calls, over)));
			}
			for (int i = 0; i < DISTURBANCES; i++) {
				int ran = this.ledger.ran.size();
				int called = this.ledger.directCalls.get();
				await().pollInterval(Duration.ofMillis(5))
					.atMost(PATIENCE)
					.until(() -> this.ledger.ran.size() > ran + PROGRESS && this.ledger.directCalls.get() > called);
				disturb(server);
			}
			over.set(true);
			for (Future<?> one : all) {
				one.get(20, TimeUnit.SECONDS);
			}
		}
		finally {
			over.set(true);
			load.shutdownNow();
		}
	}

	private void disturb(RedisServer server) {
		switch (this.random.nextInt(4)) {
			case 0 -> server.execute("CLIENT", "KILL", "TYPE", "normal");
			case 1 -> server.execute("CLIENT", "KILL", "TYPE", "pubsub");
			case 2 -> server.execute("SCRIPT", "FLUSH");
			default -> server.execute("CLIENT", "PAUSE", Integer.toString(50 + this.random.nextInt(500)));
		}
	}

	private void enqueueOneByOne(Jobs jobs, String name, AtomicBoolean over) {
		for (int i = 0; !over.get(); i++) {
			EnqueueResult result = null;
			while (result == null) {
				try {
					result = jobs.enqueue(request(name, i));
				}
				catch (QueueUnavailableException ex) {
					this.ledger.refusals.incrementAndGet();
				}
			}
			record(List.of(result));
			awaitBacklog(over);
		}
	}

	private void enqueueInBulk(Jobs jobs, String name, AtomicBoolean over) {
		for (int i = 0; !over.get(); i += 50) {
			List<JobRequest> remaining = IntStream.range(i, i + 50)
				.mapToObj((number) -> request(name, number))
				.toList();
			while (!remaining.isEmpty()) {
				try {
					record(jobs.enqueueAll(remaining));
					remaining = List.of();
				}
				catch (BulkEnqueueException ex) {
					this.ledger.refusals.incrementAndGet();
					record(ex.getResults());
					remaining = ex.getRemaining();
				}
			}
			awaitBacklog(over);
		}
	}

	/**
	 * Calls a job whose key the queued jobs do not have, and now and then one whose key
	 * they have. A call is skipped if its key is held.
	 */
	private void callDirectly(LedgerJobs calls, AtomicBoolean over) {
		for (int i = 0; !over.get(); i++) {
			try {
				calls.run((i % 20 == 0) ? i / 20 % KEYS : KEYS + i % KEYS);
			}
			catch (LeaseUnavailableException ex) {
				this.ledger.refusals.incrementAndGet();
			}
		}
	}

	/**
	 * Returns a request with an id, so that it may be repeated.
	 */
	private static JobRequest request(String name, int number) {
		String job = switch (number % 4) {
			case 0 -> "work.again";
			case 1 -> "work.once";
			default -> "work.run";
		};
		EnqueueOptions options = (number % 8 == 7) ? EnqueueOptions.in(Duration.ofMillis(number % 300))
				: EnqueueOptions.now();
		return JobRequest.of(job, number % KEYS)
			.with(options.queue((number % 3 == 0) ? "other" : "default").id(name + number));
	}

	private void record(List<EnqueueResult> results) {
		for (EnqueueResult result : results) {
			if (result instanceof EnqueueResult.Accepted accepted) {
				this.ledger.accepted.add(accepted.id());
			}
		}
	}

	private void awaitBacklog(AtomicBoolean over) {
		await().pollInterval(Duration.ofMillis(1))
			.atMost(PATIENCE)
			.until(() -> over.get() || this.ledger.accepted.size() - this.ledger.ran.size() < BACKLOG);
	}

	/**
	 * Returns the accepted jobs that did not run. A job whose worker has returned it,
	 * because the reply to its call was lost, is superseded if a job with the same key
	 * waits by then.
	 */
	private Set<String> notRun() {
		Set<String> notRun = new TreeSet<>(this.ledger.accepted);
		notRun.removeAll(this.ledger.ran);
		return notRun;
	}

	private static @Nullable JobState stateOf(JobStore store, String id) {
		return store.find(id).map(JobRecord::state).orElse(null);
	}

}
