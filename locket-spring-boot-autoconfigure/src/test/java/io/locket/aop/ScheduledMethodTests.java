package io.locket.aop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.locket.JobContext;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseConflicted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseSettings;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.memory.InMemoryHarness;
import io.locket.testing.RedisServer;
import io.locket.testing.Seeds;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Scheduled @Scheduled} methods of replicas whose clocks differ by two
 * seconds, with bodies of a millisecond.
 */
class ScheduledMethodTests {

	private static final Duration DIFFERENCE = Duration.ofSeconds(2);

	private static final Duration BODY = Duration.ofMillis(1);

	private static final int FIRINGS = 300;

	private static final int FIRINGS_IN_REAL_TIME = 2;

	private static final Duration LATE_AT_THE_MOST = Duration.ofMillis(900);

	private final InMemoryHarness time = new InMemoryHarness();

	private final Random random;

	private final long seed;

	ScheduledMethodTests() {
		this.seed = Long.getLong("locket.random.seed", Seeds.of(ScheduledMethodTests.class));
		this.random = new Random(this.seed);
	}

	@Test
	void firingRunsOnceInOneOfTheReplicasIfItIsHeldForLongerThanTheirClocksDiffer() {
		byHand("*/15 * * * * *", "4s", 0, (runs, attempts) -> {
			assertThat(runs).containsOnlyKeys(attempts.keySet()).hasSizeGreaterThan(FIRINGS);
			assertThat(runs.values()).containsOnly(1);
			assertThat(attempts.values()).containsOnly(2);
		});
	}

	@Test
	void firingRunsOnceAlsoIfReplicasMissSome() {
		byHand("*/15 * * * * *", "4s", 0.3, (runs, attempts) -> {
			assertThat(runs).containsOnlyKeys(attempts.keySet());
			assertThat(runs.values()).containsOnly(1);
			assertThat(attempts.values()).contains(1, 2);
		});
	}

	@Test
	void firingRunsInEachReplicaWithoutAMinimumHold() {
		byHand("*/15 * * * * *", "0s", 0, (runs, attempts) -> assertThat(runs).isEqualTo(attempts));
	}

	@Test
	void firingRunsInEachReplicaIfItIsHeldForLessThanTheirClocksDiffer() {
		byHand("*/15 * * * * *", "1s", 0, (runs, attempts) -> assertThat(runs).isEqualTo(attempts));
	}

	@Test
	void firingsAreLeftOutIfTheOneBeforeIsHeldForLongerThanThePeriod() {
		byHand("*/15 * * * * *", "20s", 0, (runs, attempts) -> {
			assertThat(runs).hasSizeLessThan(attempts.size());
			assertThat(runs.values()).containsOnly(1);
		});
	}

	/**
	 * Runs two replicas whose timers fire under the control of the test, with up to some
	 * delay.
	 * @param unavailable the probability that a replica misses a firing
	 */
	private void byHand(String cron, String holdAtLeast, double unavailable, Outcome outcome) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withUserConfiguration(InMemory.class)
			.withBean(LockSpace.class, this.time::space)
			.withPropertyValues("test.cron=" + cron, "test.hold=" + holdAtLeast, "locket.namespace=test");
		Log log = new Log(() -> this.time.advance(BODY));
		runner.withBean(HandTimer.class, () -> timer(DIFFERENCE))
			.withBean(Task.class, () -> new Task(log))
			.run((ahead) -> runner.withBean(HandTimer.class, () -> timer(Duration.ZERO))
				.withBean(Task.class, () -> new Task(log))
				.run((behind) -> {
					List<HandTimer> timers = Stream.of(ahead, behind)
						.map((context) -> context.getBean(HandTimer.class))
						.toList();
					Map<Instant, Integer> attempts = new TreeMap<>();
					while (attempts.size() <= FIRINGS || attempts.containsValue(1) && unavailable == 0) {
						fireNext(timers, unavailable, log, attempts);
					}
					assertThat(log.runs).as("seed " + this.seed).isNotEmpty();
					outcome.check(new TreeMap<>(log.runs), attempts);
				}));
	}

	private HandTimer timer(Duration ahead) {
		return new HandTimer(new ReplicaClock(this.time, ahead));
	}

	private void fireNext(List<HandTimer> timers, double unavailable, Log log, Map<Instant, Integer> attempts) {
		timers.forEach((timer) -> timer.plan(this.random.nextLong(LATE_AT_THE_MOST.toMillis())));
		HandTimer timer = Collections.min(timers, Comparator.comparing(HandTimer::due));
		this.time.advance(Duration.between(this.time.now(), timer.due()));
		boolean takesPart = this.random.nextDouble() >= unavailable;
		if (takesPart) {
			attempts.merge(timer.planned, 1, Integer::sum);
			log.firing = timer.planned;
		}
		timer.fire(takesPart);
	}

	@Test
	void firingRunsOnceOverReplicasOfARealRedis() {
		AtomicReference<Clock> clock = new AtomicReference<>();
		AtomicInteger refused = new AtomicInteger();
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withUserConfiguration(InRedis.class)
			.withBean(JobEventListener.class, () -> (event) -> {
				if (event instanceof LeaseConflicted) {
					refused.incrementAndGet();
				}
			})
			.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace());
		runner.withBean(Clock.class, () -> clock.updateAndGet((none) -> clockThatFiresSoon()))
			.run((ahead) -> runner.withBean(Clock.class, () -> Clock.offset(clock.get(), DIFFERENCE.negated()))
				.run((behind) -> {
					List<Timed> replicas = Stream.of(ahead, behind).map(ScheduledMethodTests::timed).toList();
					Awaitility.await()
						.atMost(Duration.ofSeconds(40))
						.until(() -> refused.get() >= FIRINGS_IN_REAL_TIME && common(replicas).stream()
							.filter((firing) -> ran(replicas, "held", firing) == 1
									&& ran(replicas, "brief", firing) == 2)
							.count() >= FIRINGS_IN_REAL_TIME);
					// On a busy machine a run can begin after the next firing is due.
					assertThat(common(replicas))
						.allSatisfy((firing) -> assertThat(ran(replicas, "held", firing)).isLessThanOrEqualTo(1));
				}));
	}

	/**
	 * Returns a clock by which {@link Timed} fires within a second.
	 */
	private static Clock clockThatFiresSoon() {
		Clock clock = Clock.systemUTC();
		return Clock.offset(clock, Duration.ofMillis(Timed.PERIOD - 1000 - clock.millis() % Timed.PERIOD));
	}

	/**
	 * Returns the firings for which the timers of all replicas have fired.
	 */
	private static Set<Long> common(List<Timed> replicas) {
		Set<Long> common = new TreeSet<>(replicas.get(0).runs("timer"));
		replicas.forEach((replica) -> common.retainAll(replica.runs("timer")));
		return common;
	}

	private static Timed timed(ApplicationContext context) {
		return context.getBean(Timed.class);
	}

	private static long ran(List<Timed> replicas, String method, long firing) {
		return replicas.stream()
			.flatMap((replica) -> replica.runs(method).stream())
			.filter((time) -> time == firing)
			.count();
	}

	/**
	 * Check of the runs of each firing, given the number of replicas that tried.
	 */
	@FunctionalInterface
	private interface Outcome {

		void check(Map<Instant, Integer> runs, Map<Instant, Integer> attempts);

	}

	/**
	 * Log of the runs of the replicas.
	 */
	private static final class Log {

		private final Map<Instant, Integer> runs = new ConcurrentHashMap<>();

		private final Runnable body;

		private Instant firing;

		Log(Runnable body) {
			this.body = body;
		}

		void run() {
			JobContext.required("task");
			this.runs.merge(this.firing, 1, Integer::sum);
			this.body.run();
		}

	}

	static class Task {

		private final Log log;

		Task(Log log) {
			this.log = log;
		}

		@Scheduled(cron = "${test.cron}")
		@UniqueJob(name = "task", holdAtLeast = "${test.hold}")
		public void run() {
			this.log.run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class InMemory {

		@Bean
		InMemoryLeaseService leases(LockSpace space, LeaseSettings settings, JobKeys keys, JobEventPublisher events) {
			return new InMemoryLeaseService(space, settings, keys, events, System::nanoTime);
		}

	}

	/**
	 * Clock of a replica, some time ahead of the clock of the lock space.
	 */
	private static final class ReplicaClock extends Clock {

		private final InMemoryHarness time;

		private final Duration ahead;

		ReplicaClock(InMemoryHarness time, Duration ahead) {
			this.time = time;
			this.ahead = ahead;
		}

		@Override
		public Instant instant() {
			return this.time.now().plus(this.ahead);
		}

		Instant timeOfTheStore(Instant instant) {
			return instant.minus(this.ahead);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException("This clock has one zone");
		}

	}

	/**
	 * Timer for one task that fires under the control of the test.
	 */
	private static final class HandTimer implements TaskScheduler {

		private final ReplicaClock clock;

		private final SimpleTriggerContext context;

		private Runnable task;

		private Trigger trigger;

		private Instant planned;

		private Instant due;

		HandTimer(ReplicaClock clock) {
			this.clock = clock;
			this.context = new SimpleTriggerContext(clock);
		}

		@Override
		public Clock getClock() {
			return this.clock;
		}

		/**
		 * Computes the next fire time, unless it is known.
		 */
		void plan(long late) {
			if (this.planned == null) {
				this.planned = this.trigger.nextExecution(this.context);
				this.due = this.clock.timeOfTheStore(this.planned).plusMillis(late);
			}
		}

		/**
		 * Returns the next fire time, by the clock of the store.
		 */
		Instant due() {
			return this.due;
		}

		void fire(boolean takesPart) {
			Instant begin = this.clock.instant();
			if (takesPart) {
				this.task.run();
			}
			this.context.update(this.planned, begin, this.clock.instant());
			this.planned = null;
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
			this.task = task;
			this.trigger = trigger;
			return null;
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
			throw new UnsupportedOperationException();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class InRedis {

		@Bean
		ThreadPoolTaskScheduler taskScheduler(Clock clock) {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setPoolSize(3);
			scheduler.setClock(clock);
			return scheduler;
		}

		@Bean
		Timed timed(Clock clock) {
			return new Timed(clock);
		}

	}

	/**
	 * Methods that fire every five seconds and record the fire times of their runs.
	 */
	static class Timed {

		private static final String EVERY_FIVE_SECONDS = "*/5 * * * * *";

		private static final long PERIOD = 5000;

		private final Map<String, List<Long>> runs = new ConcurrentHashMap<>();

		private final Clock clock;

		Timed(Clock clock) {
			this.clock = clock;
		}

		@Scheduled(cron = EVERY_FIVE_SECONDS)
		public void timer() {
			note("timer");
		}

		@Scheduled(cron = EVERY_FIVE_SECONDS)
		@UniqueJob(name = "held", holdAtLeast = "3500ms")
		public void held() {
			note("held");
		}

		@Scheduled(cron = EVERY_FIVE_SECONDS)
		@UniqueJob(name = "brief")
		public void brief() {
			note("brief");
		}

		private void note(String method) {
			LockSupport.parkNanos(BODY.toNanos());
			this.runs.merge(method, List.of(this.clock.millis() / PERIOD),
					(one, other) -> Stream.concat(one.stream(), other.stream()).toList());
		}

		public List<Long> runs(String method) {
			return this.runs.getOrDefault(method, List.of());
		}

	}

}
