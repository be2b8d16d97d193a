package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobStore;
import io.locket.testing.MovingSlot;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisServer;
import io.locket.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that move the slot of a namespace back and forth while producers enqueue and
 * workers run.
 */
@Tag("scale")
class ReshardingTests {

	private static final int MOVES = 10;

	private final long seed = Seeds.of(ReshardingTests.class);

	private final Random random = new Random(this.seed);

	@Test
	void nothingIsLostAndNothingOverlapsWhileTheSlotMovesToAndFro() {
		System.out.println("Resharding, seed " + this.seed);
		String namespace = RedisServer.newNamespace();
		Ledger ledger = new Ledger();
		try (RedisCluster cluster = RedisCluster.start()) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						WorkerAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.cluster.nodes=" + cluster.nodes(),
						"locket.namespace=" + namespace, "locket.redis.command-timeout=500ms",
						"locket.lease.duration=6s", "locket.retry.backoff.initial=50ms",
						"locket.retry.backoff.max=200ms", "locket.worker.queues=limited,default,other",
						"locket.worker.concurrency=8", "locket.queues.limited.max-running=1")
				.withBean(LedgerJobs.class, () -> new LedgerJobs(ledger))
				.run((context) -> {
					Jobs jobs = context.getBean(Jobs.class);
					JobStore store = context.getBean(JobStore.class);
					reshard(cluster.slotOf("{" + namespace + "}:jobs"), ledger, jobs);
					await().atMost(Duration.ofSeconds(20))
						.untilAsserted(() -> assertThat(Ledger.ended(store)).isEqualTo(ledger.accepted.size()));
					assertThat(ledger.overlaps).as("runs of one key at once").hasValue(0);
					assertThat(ledger.lost).as("leases lost").hasValue(0);
					assertThat(ledger.ran).isEqualTo(ledger.accepted);
					assertThat(store.verify()).isEmpty();
					System.out.println(ledger.accepted.size() + " jobs, " + ledger.refusals + " refusals");
				});
		}
	}

	private void reshard(MovingSlot slot, Ledger ledger, Jobs jobs) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		ExecutorService producers = Executors.newFixedThreadPool(3);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (String queue : List.of("limited", "default", "other")) {
				all.add(producers.submit(() -> produce(jobs, queue, ledger, over)));
			}
			for (int i = 0; i < MOVES; i++) {
				int ran = ledger.ran.size();
				await().atMost(Duration.ofSeconds(20)).until(() -> ledger.ran.size() > ran + 30);
				move(slot, i % 2 == 0, i % 3 == 2, ledger);
			}
			over.set(true);
			for (Future<?> producer : all) {
				producer.get(20, TimeUnit.SECONDS);
			}
		}
		finally {
			over.set(true);
			producers.shutdownNow();
		}
	}

	/**
	 * Moves the keys one by one, in any order or with the large ones last.
	 * @param slot the slot
	 * @param smallFirst whether large keys come last
	 * @param untilRefused whether to stop half way until a caller gets an exception
	 * @param ledger the records of the producers
	 */
	private void move(MovingSlot slot, boolean smallFirst, boolean untilRefused, Ledger ledger) {
		slot.open();
		List<String> keys = new ArrayList<>(slot.left());
		Collections.shuffle(keys, this.random);
		if (smallFirst) {
			keys.sort((one, other) -> Boolean.compare(isLarge(one), isLarge(other)));
		}
		keys.subList(0, keys.size() / 2).forEach((key) -> slot.move(List.of(key)));
		if (untilRefused) {
			int refusals = ledger.refusals.get();
			await().atMost(Duration.ofSeconds(20)).until(() -> ledger.refusals.get() > refusals);
		}
		keys.subList(keys.size() / 2, keys.size()).forEach((key) -> slot.move(List.of(key)));
		slot.finish();
	}

	private static boolean isLarge(String key) {
		return key.endsWith("}:jobs") || key.contains("}:ready:") || key.contains("}:lease:");
	}

	/**
	 * Enqueues until the test is over. A refused call is repeated with its id.
	 */
	private void produce(Jobs jobs, String queue, Ledger ledger, AtomicBoolean over) {
		for (int i = 0; !over.get(); i++) {
			EnqueueOptions options = EnqueueOptions.now().queue(queue).id(queue + i);
			String job = (i % 3 == 0) ? "work.again" : "work.run";
			EnqueueResult result = null;
			while (result == null) {
				try {
					result = jobs.enqueue(options, job, i % 10);
				}
				catch (QueueUnavailableException ex) {
					ledger.refusals.incrementAndGet();
				}
			}
			if (result instanceof EnqueueResult.Accepted accepted) {
				ledger.accepted.add(accepted.id());
			}
			int ahead = ledger.accepted.size();
			await().pollInterval(Duration.ofMillis(1))
				.atMost(Duration.ofSeconds(20))
				.until(() -> over.get() || ahead - ledger.ran.size() < 100);
		}
	}

}
