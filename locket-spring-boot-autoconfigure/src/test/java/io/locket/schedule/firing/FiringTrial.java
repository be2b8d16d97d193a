package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.FiringTimes;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleHarness;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStore.Configured;
import io.locket.schedule.TestSchedule;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Trial with random events for schedules and for three leaders, each of which may believe
 * that it leads, checked against a {@link ScheduleModel}. It checks that no firing is
 * wrong or missing, and that a round of the true leader fires exactly what the rules
 * require.
 */
final class FiringTrial implements HandLeader.Sender {

	static final Duration TTL = Duration.ofSeconds(30);

	private static final String UNIQUE = "unique";

	private static final List<String> NAMES = List.of("a", "b", "c", UNIQUE);

	private static final int LEADERS = 3;

	private static final int LAST_STEPS = 25;

	private final ScheduleHarness harness;

	private final ScheduleStore store;

	private final Random random;

	private final ScheduleModel model;

	private final List<HandLeader> leaders;

	private final List<List<ScheduleDefinition>> versions;

	private final List<Runnable> delayed = new ArrayList<>();

	private final Set<String> firedInRound = new LinkedHashSet<>();

	private final Set<String> situations = new TreeSet<>();

	private final List<String> story = new ArrayList<>();

	private @Nullable LeaseProof process;

	private Instant latest;

	/**
	 * Source of fail-overs, which are independent of the other events.
	 */
	private final Random failOvers;

	private @Nullable Runnable copy;

	private Map<String, Optional<Instant>> copied = Map.of();

	private long copiedRevision;

	/**
	 * Whether the clock of the store may jump back.
	 */
	private final boolean backwards;

	private long nanos;

	private boolean faultless;

	private boolean rightClock;

	private Set<String> due = Set.of();

	FiringTrial(ScheduleHarness harness, long seed, LeaderFactory leaders) {
		this.harness = harness;
		this.store = harness.store();
		this.random = new Random(seed);
		this.failOvers = new Random(~seed);
		this.model = new ScheduleModel(harness.queue().now());
		this.latest = this.model.now;
		this.backwards = this.random.nextBoolean();
		this.versions = IntStream.range(0, LEADERS).mapToObj((i) -> definitions(2, ScheduleOrigin.CONFIGURED)).toList();
		this.leaders = this.versions.stream()
			.map((version) -> leaders.create(this.store, this, () -> this.nanos, version))
			.toList();
	}

	static TestJob job(String id) {
		TestJob job = TestJob.of(id);
		return id.startsWith(UNIQUE) ? job.with(LockStrategy.UNTIL_EXECUTED, "k") : job;
	}

	/**
	 * Runs the trial.
	 * @return the situations that occurred
	 * @throws AssertionError if a rule is violated
	 */
	Set<String> run(int steps) {
		try {
			for (int i = 0; i < steps; i++) {
				step();
				copyOrFailOver();
				assertThat(this.harness.queue().store().counts("q").accepted()).as("jobs")
					.isEqualTo(this.model.accepted().size());
			}
			assertThat(this.harness.queue().store().verify()).isEmpty();
			return this.situations;
		}
		catch (AssertionError ex) {
			throw new AssertionError(String.join("\n",
					this.story.subList(Math.max(0, this.story.size() - LAST_STEPS), this.story.size())) + "\n"
					+ ex.getMessage(), ex);
		}
	}

	private void step() {
		switch (this.random.nextInt(24)) {
			case 0, 1, 2, 3, 4 -> pass(this.random.nextInt(2500));
			case 5 -> pass(this.random.nextInt((this.random.nextInt(4) == 0) ? 300_000 : 60_000));
			case 6 -> jump(this.random.nextInt(240_000) - 120_000);
			case 7 -> elect();
			case 8, 9 -> deliver();
			case 10, 11 -> put();
			case 12, 13 -> update();
			case 14 -> loseOrGive();
			case 15 -> cancel();
			default -> round();
		}
	}

	/**
	 * Copies the schedules, or fails over to the copy, which has lost the firings since.
	 */
	private void copyOrFailOver() {
		int what = this.failOvers.nextInt(10);
		if (what == 0) {
			this.copy = this.harness.backup();
			this.copied = this.model.lastFirings();
			this.copiedRevision = this.store.revision();
		}
		else if (what == 1 && this.copy != null && this.copiedRevision == this.store.revision()) {
			tell("a fail-over loses firings");
			this.situations.add("fail-over");
			this.copy.run();
			this.copy = null;
			this.model.failOver(this.copied);
			this.leaders.forEach(HandLeader::failOver);
		}
	}

	private void tell(String what) {
		this.story.add(this.model.now.toEpochMilli() + " " + what);
	}

	private void pass(long millis) {
		tell(millis + " ms pass");
		this.nanos += TimeUnit.MILLISECONDS.toNanos(millis);
		set(millis);
	}

	private void set(long millis) {
		this.harness.queue().advance(Duration.ofMillis(millis));
		this.model.now = this.harness.queue().now();
		this.latest = FiringTimes.latest(this.latest, this.model.now);
		this.model.expired().forEach(this::release);
	}

	private void release(LeaseProof lease) {
		this.harness.release(lease);
		this.model.release(lease);
	}

	private void jump(long millis) {
		long jump = this.backwards ? millis : Math.abs(millis);
		tell("the clock jumps by " + jump);
		this.situations.add((jump < 0) ? "clock back" : "clock forward");
		set(jump);
	}

	private void elect() {
		int number = this.random.nextInt(LEADERS);
		LeaseProof lease = this.harness.hold("leader", TTL);
		this.model.hold(lease, TTL);
		this.leaders.get(number).elect(lease);
		tell("leader " + number + " is elected");
		if (this.random.nextInt(4) > 0) {
			configure(lease, this.versions.get(number));
		}
	}

	@Override
	public @Nullable Configured configure(LeaseProof lease, List<ScheduleDefinition> definitions) {
		tell("it configures " + definitions);
		if (!this.model.holds(lease)) {
			assertThat(this.store.configure(lease, TestSchedule.GROUP, definitions)).as("what others configure")
				.isNull();
			return null;
		}
		Set<String> taken = new TreeSet<>();
		definitions.forEach((definition) -> {
			if (this.model.isTaken(definition)) {
				taken.add(definition.name());
			}
		});
		if (!taken.isEmpty()) {
			this.situations.add("taken");
		}
		definitions.stream()
			.filter((definition) -> !taken.contains(definition.name()))
			.forEach((definition) -> this.model.put(definition, null));
		Configured expected = new Configured(taken, this.model.end(definitions));
		assertThat(this.store.configure(lease, TestSchedule.GROUP, definitions)).isEqualTo(expected);
		if (this.random.nextBoolean()) {
			assertThat(this.store.configure(lease, TestSchedule.GROUP, definitions))
				.isEqualTo(new Configured(taken, Set.of()));
		}
		if (!expected.ended().isEmpty()) {
			this.situations.add("ended");
		}
		this.due = this.model.due();
		return expected;
	}

	/**
	 * Ends the leader's lease, or ends or gives that of a process.
	 */
	private void loseOrGive() {
		HandLeader leader = this.leaders.get(this.random.nextInt(LEADERS));
		if (this.random.nextInt(4) == 0 && leader.lease != null && this.model.holds(leader.lease)) {
			tell("the leader's lease is gone");
			release(leader.lease);
		}
		else if (this.process != null && this.random.nextBoolean()) {
			tell("the process has ended");
			release(this.process);
			this.process = null;
		}
		else {
			tell("a process takes its lease");
			this.process = this.harness.hold("process", Duration.ofMinutes(5));
			this.model.hold(this.process, Duration.ofMinutes(5));
		}
	}

	private void put() {
		boolean all = this.random.nextInt(4) == 0;
		List<ScheduleDefinition> definitions = definitions(1 + this.random.nextInt(2),
				(!all && this.process != null && this.model.holds(this.process) && this.random.nextInt(3) == 0)
						? ScheduleOrigin.TRANSIENT : ScheduleOrigin.PERSISTENT);
		tell((all ? "replaceAll " : "put ") + definitions);
		Runnable change = all ? () -> this.store.replaceAll(TestSchedule.GROUP, definitions)
				: () -> this.store.put(definitions, this.process);
		twice(change);
		definitions.forEach((definition) -> this.model.put(definition, this.process));
		if (all) {
			this.model.retain(definitions);
		}
	}

	private void update() {
		String name = pick(NAMES);
		int what = this.random.nextInt(5);
		if (what == 0 && !this.model.isConfigured(name)) {
			tell("remove " + name);
			twice(() -> this.store.remove(name));
			this.model.remove(name);
		}
		else if (what <= 2) {
			tell("pause " + name);
			twice(() -> this.store.pause(name));
			this.model.pause(name, true);
		}
		else {
			tell("resume " + name);
			twice(() -> this.store.resume(name));
			this.model.pause(name, false);
		}
	}

	/**
	 * Ends the job that blocks others of its key.
	 */
	private void cancel() {
		tell("cancel what is unique");
		this.model.accepted()
			.stream()
			.filter((id) -> id.startsWith(UNIQUE))
			.forEach((id) -> this.harness.queue().store().cancel(id));
	}

	private void twice(Runnable change) {
		change.run();
		if (this.random.nextBoolean()) {
			change.run();
		}
	}

	private List<ScheduleDefinition> definitions(int number, ScheduleOrigin origin) {
		List<String> names = new ArrayList<>(NAMES);
		return IntStream.range(0, number)
			.mapToObj((i) -> definition(names.remove(this.random.nextInt(names.size())), origin))
			.toList();
	}

	private ScheduleDefinition definition(String name, ScheduleOrigin origin) {
		Duration every = pick(List.of(Duration.ofSeconds(1), Duration.ofMillis(2300), Duration.ofMillis(7700)));
		boolean cron = this.random.nextInt(3) == 0;
		Duration[] catchUps = { null, Duration.ZERO, Duration.ofSeconds(12), Duration.ofMinutes(10) };
		return new ScheduleDefinition(name, TestSchedule.GROUP, "job", "[]", null,
				cron ? pick(List.of("*/1 * * * * *", "*/7 * * * * *")) : null, cron ? null : every, ZoneOffset.UTC,
				pick(List.of(Misfire.values())), catchUps[this.random.nextInt(catchUps.length)],
				this.random.nextInt(8) > 0, null, origin);
	}

	private <T> T pick(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/**
	 * Lets a leader, or a process that believes to lead, fire what it considers due.
	 */
	private void round() {
		HandLeader leader = this.leaders.get(this.random.nextInt(LEADERS));
		if (this.random.nextBoolean()) {
			leader = this.leaders.stream().filter(this::leads).findAny().orElse(leader);
		}
		if (leader.lease == null) {
			return;
		}
		this.faultless = this.random.nextBoolean();
		Instant time = this.model.now;
		this.rightClock = this.faultless || this.random.nextBoolean();
		if (!this.rightClock) {
			time = time.plusMillis(this.random.nextInt(180_000) - 90_000);
		}
		boolean looking = this.faultless || this.random.nextInt(4) == 0;
		boolean reckless = !this.faultless && this.random.nextInt(4) == 0;
		if (this.random.nextInt(8) == 0) {
			leader.forget();
		}
		boolean exact = this.faultless && leads(leader)
				&& (leader.isFresh() || (leader.isCurrent() && !this.model.now.isBefore(this.latest)));
		this.due = this.model.due();
		tell("round of leader " + this.leaders.indexOf(leader) + " by its time " + time.toEpochMilli()
				+ (looking ? ", looking" : "") + (reckless ? ", reckless" : "") + (exact ? ", exact" : ""));
		this.firedInRound.clear();
		boolean replied = leader.round(time, looking, reckless);
		if (exact) {
			assertThat(replied).as("each call got its reply").isTrue();
			assertThat(this.firedInRound).as("what fires").isEqualTo(this.due);
			this.situations.add(this.due.isEmpty() ? "nothing due" : "exact");
			if (this.due.size() > ScheduleStore.BATCH) {
				this.situations.add("more than a call");
			}
		}
	}

	private boolean leads(HandLeader leader) {
		return leader.lease != null && this.model.holds(leader.lease);
	}

	@Override
	public @Nullable FiringReply send(LeaseProof leader, List<Firing> firings) {
		boolean right = this.rightClock && !this.backwards;
		int fate = this.faultless ? this.random.nextInt(2) : this.random.nextInt(6);
		switch (fate) {
			case 3 -> {
				this.situations.add("call lost");
				return null;
			}
			case 4 -> {
				this.delayed.add(() -> call(leader, firings, right));
				return null;
			}
			case 5 -> {
				this.situations.add("reply lost");
				call(leader, firings, right);
				return null;
			}
			default -> {
				FiringReply reply = call(leader, firings, right);
				if (fate == 2) {
					this.delayed.add(() -> call(leader, firings, right));
				}
				if (fate == 1) {
					assertThat(call(leader, firings, right).results()).as("repeated call")
						.isEqualTo(expected(reply, firings));
				}
				return reply;
			}
		}
	}

	/**
	 * Returns the expected results. A repetition returns only the last reply of each
	 * schedule.
	 */
	private static List<FiringResult> expected(FiringReply reply, List<Firing> firings) {
		List<FiringResult> expected = new ArrayList<>(reply.results());
		Set<String> later = new TreeSet<>();
		for (int i = firings.size() - 1; i >= 0; i--) {
			String schedule = firings.get(i).schedule();
			boolean past = later.contains(schedule);
			if (expected.get(i) instanceof FiringResult.Fired) {
				later.add(schedule);
			}
			if (past && expected.get(i) != FiringResult.Refused.CHANGED) {
				expected.set(i, FiringResult.Refused.PAST);
			}
		}
		return expected;
	}

	private void deliver() {
		if (!this.delayed.isEmpty()) {
			tell("a call arrives late");
			this.situations.add("call delayed");
			this.delayed.remove(this.random.nextInt(this.delayed.size())).run();
		}
	}

	private FiringReply call(LeaseProof leader, List<Firing> firings, boolean right) {
		boolean leads = this.model.holds(leader);
		FiringReply reply = this.store.fire(leader, TTL, firings);
		tell("  " + firings.stream().map((firing) -> firing.job().id()).toList() + " -> " + reply.results());
		assertThat(reply.time()).isEqualTo(this.model.now);
		for (int i = 0; i < firings.size(); i++) {
			FiringResult result = reply.results().get(i);
			assertThat(result == FiringResult.Refused.NOT_LEADER).as("is no leader").isEqualTo(!leads);
			this.situations.add(result.getClass().getSimpleName().equals("Fired")
					? ((FiringResult.Fired) result).result().getClass().getSimpleName() : result.toString());
			if (result instanceof FiringResult.Fired fired
					&& this.model.fired(leader, TTL, firings.get(i), fired.result(), right)) {
				this.firedInRound.add(firings.get(i).job().id());
			}
		}
		return reply;
	}

	/**
	 * Factory of leaders.
	 */
	@FunctionalInterface
	interface LeaderFactory {

		HandLeader create(ScheduleStore store, HandLeader.Sender sender, LongSupplier nanoTime,
				List<ScheduleDefinition> configured);

	}

}
