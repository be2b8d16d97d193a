package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random programs on two queues side by side: one has all scripts, and the other one
 * no fast paths. Both have the same results, jobs, counts, tickets, claims and locks
 * after each step. {@code -Dlocket.random.seed=n} repeats the program of a seed.
 */
class RandomFastPathTests {

	private static final int STEPS = 150;

	private static final int KEYS = 5;

	private static final List<LockStrategy> LOCKS = Stream.of(LockStrategy.values())
		.filter((lock) -> lock != LockStrategy.DEFAULT)
		.toList();

	static LongStream seeds() {
		return seeds(2);
	}

	static LongStream manySeeds() {
		return seeds(20);
	}

	private static LongStream seeds(int count) {
		Long seed = Long.getLong("locket.random.seed");
		return (seed != null) ? LongStream.of(seed) : Seeds.of(RandomFastPathTests.class, count);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void fastPathsDoWhatTheGeneralScriptsDo(long seed) {
		try (QueuePair pair = new QueuePair()) {
			Program program = new Program(pair, new Random(seed));
			for (int step = 0; step < STEPS; step++) {
				String what = program.step();
				assertThat(program.stored(pair.fixture)).as("seed %d, step %d: %s", seed, step, what)
					.isEqualTo(program.stored(pair.general));
			}
		}
	}

	@ParameterizedTest
	@MethodSource("manySeeds")
	@Tag("scale")
	void fastPathsDoWhatTheGeneralScriptsDoInManyPrograms(long seed) {
		fastPathsDoWhatTheGeneralScriptsDo(seed);
	}

	/**
	 * Random program, and the jobs that it has started.
	 */
	private static final class Program {

		private final QueuePair pair;

		private final Random random;

		private final List<String> ids = new ArrayList<>();

		/**
		 * By id, in a fixed order.
		 */
		private final Map<String, ReservedJob> running = new TreeMap<>();

		Program(QueuePair pair, Random random) {
			this.pair = pair;
			this.random = random;
		}

		private boolean one(int of) {
			return this.random.nextInt(of) == 0;
		}

		String step() {
			int kind = this.random.nextInt(10);
			if (kind < 4) {
				return enqueue();
			}
			if (kind < 6) {
				return settle(List.of());
			}
			if (kind < 9) {
				return settle(ends());
			}
			Duration time = Duration.ofMillis(one(3) ? this.random.nextInt(20_000) : this.random.nextInt(500));
			this.pair.advance(time);
			return "advance " + time;
		}

		private String enqueue() {
			boolean plain = one(2);
			List<NewJob> jobs = IntStream.range(0, one(2) ? 1 : 2 + this.random.nextInt(5))
				.mapToObj((i) -> job(plain))
				.toList();
			// A new queue tries the fast path in its first call.
			try (QueueFixture queue = this.pair.fixture.with(QueueFixture.manualScripts())) {
				List<EnqueueResult> results = queue.queue.enqueue(jobs);
				assertThat(results).isEqualTo(this.pair.general.queue.enqueue(jobs));
				return "enqueue " + jobs + " = " + results;
			}
		}

		/**
		 * Returns a job, one that replaces no other for bulks. Jobs of the same strategy
		 * and key mostly have the same options, so that they can replace each other.
		 */
		private NewJob job(boolean plain) {
			String id = "job" + (1000 + this.ids.size());
			this.ids.add(id);
			LockStrategy lock = LOCKS.get(this.random.nextInt(LOCKS.size()));
			int key = this.random.nextInt(KEYS);
			NewJob job = QueueFixture.job(id, (key == 0 || one(4)) ? "other" : "default", lock, key);
			NewJob.Builder changed = job.copy().retries(one(8) ? 0 : 3).holdAtLeast(Duration.ofMillis(key % 2 * 700));
			if (!plain && one(2)) {
				changed.onDuplicate(DuplicateStrategy.REPLACE);
			}
			if (one(plain ? 5 : 3)) {
				changed.start(NewJob.Start.in(Duration.ofMillis(this.random.nextInt(2000))));
			}
			if (lock == LockStrategy.UNTIL_EXPIRED || (lock == LockStrategy.UNTIL_EXECUTED && key == 2)) {
				changed.unique(lock, job.key(), Duration.ofSeconds(2));
			}
			return changed.build();
		}

		private List<RunEnd> ends() {
			List<RunEnd> ends = new ArrayList<>();
			for (ReservedJob run : this.running.values()) {
				if (!one(2)) {
					continue;
				}
				int kind = this.random.nextInt(12);
				// A retry without a delay would be due for the reservation that follows,
				// if
				// that is a call of its own.
				Duration delay = Duration.ofMillis(1 + this.random.nextInt(1000));
				ends.add((kind < 7) ? RunEnd.succeeded(run) : (kind < 10) ? RunEnd.retry(run, delay, "it broke " + kind)
						: (kind < 11) ? RunEnd.returned(run) : RunEnd.dead(run, "it broke"));
			}
			return ends;
		}

		private String settle(List<RunEnd> ends) {
			int slots = 1 + this.random.nextInt(4);
			ReservationRequest request = one(3) ? QueueFixture.request(slots, "default")
					: QueueFixture.request(slots, "default", "other");
			String what = "settle " + ends + ", then " + request;
			Reservation next;
			Reservation other;
			if (ends.isEmpty()) {
				next = this.pair.fixture.queue.reserve(request);
				other = this.pair.general.queue.reserve(request);
			}
			else {
				Settlement settlement = this.pair.fixture.queue.settle(ends, request);
				Settlement general = this.pair.general.queue.settle(ends, request);
				assertThat(settlement.ends()).as(what).isEqualTo(general.ends());
				next = settlement.next();
				other = general.next();
				ends.forEach((end) -> this.running.remove(end.id()));
			}
			assertThat(ids(next)).as(what).isEqualTo(ids(other));
			next.jobs().forEach((job) -> this.running.put(job.record().id(), job));
			return what + " = " + ids(next);
		}

		private static List<String> ids(Reservation reservation) {
			return reservation.jobs().stream().map((job) -> job.record().id() + " " + job.keyLeased()).toList();
		}

		/**
		 * Returns what both queues have in common: their jobs, counts, tickets, claims
		 * and locks.
		 */
		Map<String, Object> stored(QueueFixture queue) {
			Map<String, Object> stored = new TreeMap<>();
			for (String id : this.ids) {
				queue.store.find(id).ifPresent((record) -> stored.put(id, record));
			}
			for (String name : List.of("default", "other")) {
				stored.put("counts " + name, queue.store.counts(name));
			}
			stored.put("tickets", new TreeMap<>(queue.redis.opsForHash().entries(queue.name("tickets"))));
			for (int key = 0; key < KEYS; key++) {
				putKey(queue, queue.lock(QueueFixture.key(key)), "lock " + key, stored);
				putKey(queue, queue.name("claim:" + QueueFixture.key(key).digest()), "claim " + key, stored);
			}
			return stored;
		}

		/**
		 * Adds the value of a key without the mark of a waiter, and its expiry.
		 */
		private static void putKey(QueueFixture queue, String key, String name, Map<String, Object> stored) {
			String value = queue.redis.opsForValue().get(key);
			if (value != null) {
				stored.put(name, value.replaceAll(" w$", "") + " until "
						+ queue.redis.opsForHash().get(queue.name("test-expiry"), key));
			}
		}

	}

}
