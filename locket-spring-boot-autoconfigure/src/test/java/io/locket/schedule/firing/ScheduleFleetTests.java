package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.locket.LeaseHolder;
import io.locket.job.JobRequest;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.Firing;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.ChildJvm;
import io.locket.testing.FakeTime;
import io.locket.testing.RedisServer;
import io.locket.testing.Seeds;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for three scheduler processes, and a schedule of each misfire policy that fires
 * every second, while their leader is killed or frozen repeatedly. The jobs show that
 * each time fired at most once and not early, and that missing times are those that the
 * policy drops.
 */
@Tag("scale")
@Tag("alone")
class ScheduleFleetTests {

	static final Duration TTL = Duration.ofSeconds(2);

	static final Duration MISFIRE_AFTER = Duration.ofSeconds(1);

	private static final Duration CATCH_UP = TTL.multipliedBy(2);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int BLOWS = 4;

	private final RedisServer server = RedisServer.shared();

	private final String namespace = RedisServer.newNamespace();

	private final long seed = Seeds.of(ScheduleFleetTests.class);

	private final Random random = new Random(this.seed);

	private final List<ChildJvm> fleet = new ArrayList<>();

	private final List<Long> successions = new ArrayList<>();

	private int started;

	@AfterEach
	void close() {
		this.fleet.forEach(ChildJvm::close);
	}

	@Test
	void everySecondFiresOnceAtTheMostWhileLeadersAreKilled() {
		kill(Clocks.RIGHT);
	}

	@Test
	@Tag("faketime")
	void everySecondFiresOnceAtTheMostWhileLeadersWhoseClocksDifferAreKilled() {
		kill(Clocks.A_MINUTE_AND_A_HALF_AHEAD_OR_BEHIND);
	}

	@Test
	void everySecondFiresOnceAtTheMostWhileLeadersAreFrozen() {
		freeze(Clocks.RIGHT);
	}

	@Test
	@Tag("faketime")
	void everySecondFiresOnceAtTheMostWhileLeadersWhoseClocksDifferAreFrozen() {
		freeze(Clocks.A_MINUTE_AND_A_HALF_AHEAD_OR_BEHIND);
	}

	private void kill(Clocks clocks) {
		run("killed", clocks, (leadership, schedules) -> {
			ChildJvm leader = leader(leadership);
			leader.kill();
			this.fleet.remove(leader);
			start(clocks);
			awaitSuccessor(leadership, leader);
		});
	}

	private void freeze(Clocks clocks) {
		run("frozen", clocks, (leadership, schedules) -> {
			ChildJvm leader = leader(leadership);
			leader.stop();
			awaitSuccessor(leadership, leader);
			awaitFirings(schedules);
			leader.cont();
			leader.send("leads");
			assertThat(leader.awaitLine("leads", PATIENCE)).isEqualTo("leads false");
		});
	}

	private void run(String what, Clocks clocks, Blow blow) {
		SchedulerProcess.application(this.server.host(), Integer.toString(this.server.port()), this.namespace)
			.withPropertyValues("locket.leader.enabled=false")
			.run((context) -> {
				for (int i = 0; i < 3; i++) {
					start(clocks);
				}
				for (int i = 0; i < 3; i++) {
					awaitStart(this.fleet.get(i), clocks.ahead(i));
				}
				Leadership leadership = context.getBean(Leadership.class);
				Awaitility.await().atMost(PATIENCE).until(() -> leadership.leader().isPresent());
				Schedules schedules = context.getBean(Schedules.class);
				put(schedules);
				for (int i = 0; i < BLOWS; i++) {
					awaitFirings(schedules);
					blow.strike(leadership, schedules);
				}
				awaitFirings(schedules);
				stopGracefully(leadership);
				Instant end = redisTime();
				Awaitility.await().atMost(PATIENCE).until(() -> hasFired(schedules, end));
				this.fleet.forEach(ChildJvm::kill);
				check(what, clocks, context);
			});
	}

	private void start(Clocks clocks) {
		ChildJvm process = ChildJvm.start(FakeTime.ahead(clocks.ahead(this.started++)), SchedulerProcess.class,
				this.server.host(), Integer.toString(this.server.port()), this.namespace);
		this.fleet.add(process);
	}

	/**
	 * Waits until a process takes part, and checks its clock.
	 */
	private static void awaitStart(ChildJvm process, Duration ahead) {
		process.awaitLine("ready", PATIENCE);
		process.send("clock");
		long before = System.currentTimeMillis();
		long clock = Long.parseLong(process.awaitLine("clock", PATIENCE).split(" ")[1]);
		assertThat(Duration.ofMillis(clock - before).minus(ahead)).isBetween(SECOND.negated(), PATIENCE);
	}

	private static void put(Schedules schedules) {
		JobRequest tick = JobRequest.of("tick");
		schedules.put(ScheduleRequest.cron("skip", "* * * * * *", tick).misfire(Misfire.SKIP));
		schedules.put(ScheduleRequest.every("latest", SECOND, tick).misfire(Misfire.LATEST));
		schedules
			.put(ScheduleRequest.cron("all", "* * * * * *", tick).misfire(Misfire.ALL).catchUp(Duration.ofMinutes(10)));
	}

	private ChildJvm leader(Leadership leadership) {
		List<ChildJvm> leaders = new ArrayList<>();
		Awaitility.await().atMost(PATIENCE).until(() -> {
			leadership.leader().flatMap(this::process).ifPresent(leaders::add);
			return !leaders.isEmpty();
		});
		return leaders.get(0);
	}

	private Optional<ChildJvm> process(LeaseHolder holder) {
		return this.fleet.stream().filter((process) -> holder.instance().contains("/" + process.pid() + "/")).findAny();
	}

	/**
	 * Waits until another process leads, which may take the time of the lease plus a
	 * second.
	 */
	private void awaitSuccessor(Leadership leadership, ChildJvm predecessor) {
		long begin = System.nanoTime();
		Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> leadership.leader()
				.filter((holder) -> !holder.instance().contains("/" + predecessor.pid() + "/"))
				.isPresent());
		this.successions.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
	}

	private void stopGracefully(Leadership leadership) {
		ChildJvm leader = leader(leadership);
		leader.send("stop");
		awaitSuccessor(leadership, leader);
		assertThat(leader.awaitExit(PATIENCE)).isZero();
	}

	/**
	 * Waits until all schedules have fired for this second or the next one, which can be
	 * checked at any time of the second.
	 */
	private void awaitFirings(Schedules schedules) {
		Instant time = redisTime().plusSeconds(this.random.nextInt(2)).minusSeconds(1);
		Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20 + this.random.nextInt(180)))
			.until(() -> hasFired(schedules, time));
	}

	private Instant redisTime() {
		List<?> time = (List<?>) this.server.execute("TIME");
		return Instant.ofEpochSecond(Long.parseLong(time.get(0).toString()));
	}

	private static boolean hasFired(Schedules schedules, Instant time) {
		return schedules.list()
			.stream()
			.allMatch((schedule) -> schedule.lastFired() != null && schedule.lastFired().isAfter(time));
	}

	private void check(String what, Clocks clocks, ApplicationContext context) {
		JobStore store = context.getBean(JobStore.class);
		Instant now = redisTime();
		int jobs = 0;
		StringBuilder figures = new StringBuilder();
		for (ScheduleStatus schedule : context.getBean(Schedules.class).list()) {
			Map<Instant, Instant> fired = fired(store, schedule, now);
			List<Instant> missing = missing(fired, schedule);
			figures.append(String.format("; %s: %d fired, %d missing, late by %d ms at the most", schedule.name(),
					fired.size(), missing.size(), latest(fired)));
			fired.forEach((time, at) -> assertThat(at).as("firing of %s", schedule.name()).isAfterOrEqualTo(time));
			Instant[] times = fired.keySet().toArray(Instant[]::new);
			for (Instant time : missing) {
				Instant next = Arrays.stream(times).filter((other) -> other.isAfter(time)).findFirst().orElseThrow();
				assertThat(mayBeMissing(schedule.definition().misfire(), time, next, fired.get(next)))
					.as("%s may leave out %s, before %s fired at %s", schedule.name(), time, next, fired.get(next))
					.isTrue();
			}
			jobs += fired.size();
		}
		System.out.printf("Leader %s %d times, clocks %s, seed %d: successors after %s ms%s%n", what, BLOWS, clocks,
				this.seed, this.successions, figures);
		assertThat(store.counts("default").accepted()).as("jobs of other times").isEqualTo(jobs);
		assertThat(store.verify()).isEmpty();
	}

	/**
	 * Returns the time of each firing, by the clock of Redis.
	 */
	private static Map<Instant, Instant> fired(JobStore store, ScheduleStatus schedule, Instant now) {
		Map<Instant, Instant> fired = new TreeMap<>();
		Instant last = schedule.lastFired();
		for (Instant time = last; time.isAfter(now.minusSeconds(180)); time = time.minusSeconds(1)) {
			Optional<JobRecord> job = store.find(Firing.id(schedule.name(), time));
			if (job.isPresent()) {
				fired.put(time, job.get().enqueuedAt());
			}
		}
		return fired;
	}

	private static List<Instant> missing(Map<Instant, Instant> fired, ScheduleStatus schedule) {
		List<Instant> missing = new ArrayList<>();
		for (Instant time = ((TreeMap<Instant, Instant>) fired).firstKey(); !time
			.isAfter(schedule.lastFired()); time = time.plusSeconds(1)) {
			if (!fired.containsKey(time)) {
				missing.add(time);
			}
		}
		return missing;
	}

	private static long latest(Map<Instant, Instant> fired) {
		return fired.entrySet()
			.stream()
			.mapToLong((entry) -> Duration.between(entry.getKey(), entry.getValue()).toMillis())
			.max()
			.orElseThrow();
	}

	/**
	 * Returns whether a time may be missing. It is dropped by a plan for a later time,
	 * such as the next firing: what was late then is late when that fires.
	 */
	private static boolean mayBeMissing(Misfire misfire, Instant time, Instant next, Instant firedAt) {
		return switch (misfire) {
			case SKIP -> time.plus(MISFIRE_AFTER).isBefore(firedAt);
			case LATEST -> next.plus(MISFIRE_AFTER).isBefore(firedAt) || time.plus(CATCH_UP).isBefore(firedAt);
			case ALL -> false;
		};
	}

	/**
	 * Settings of the clocks of the processes, regardless of that of Redis.
	 */
	private enum Clocks {

		RIGHT, A_MINUTE_AND_A_HALF_AHEAD_OR_BEHIND;

		Duration ahead(int process) {
			if (this == RIGHT) {
				return Duration.ZERO;
			}
			return Duration.ofSeconds((process % 2 == 0) ? 90 : -90);
		}

	}

	/**
	 * Failure of the leader, followed by a wait for its successor.
	 */
	@FunctionalInterface
	private interface Blow {

		void strike(Leadership leadership, Schedules schedules);

	}

}
