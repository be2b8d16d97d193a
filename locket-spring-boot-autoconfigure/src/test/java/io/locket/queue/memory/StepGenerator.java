package io.locket.queue.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Generator of random programs for a queue. Equal seeds result in equal programs.
 */
final class StepGenerator {

	private static final List<LockStrategy> LOCKS = List.of(LockStrategy.UNTIL_EXECUTING, LockStrategy.WHILE_EXECUTING,
			LockStrategy.UNTIL_EXECUTED, LockStrategy.UNTIL_AND_WHILE_EXECUTING, LockStrategy.UNTIL_EXPIRED);

	private static final List<DuplicateStrategy> DUPLICATES = List.of(DuplicateStrategy.REJECT, DuplicateStrategy.RAISE,
			DuplicateStrategy.REPLACE, DuplicateStrategy.REPLACE);

	private static final List<ConflictStrategy> CONFLICTS = List.of(ConflictStrategy.PARK, ConflictStrategy.PARK,
			ConflictStrategy.PARK, ConflictStrategy.WAIT, ConflictStrategy.REJECT, ConflictStrategy.RAISE,
			ConflictStrategy.RESCHEDULE);

	private static final List<String> QUEUES = List.of("high", "mid", "low");

	private static final List<String> POLLERS = List.of("w1", "w2", "w3", "w4");

	private static final int KEYS = 4;

	private static final String NEW = "new";

	private final Random random;

	private final List<LockStrategy> usual = new ArrayList<>();

	private final List<NewJob> enqueued = new ArrayList<>();

	private final List<String> letters = new ArrayList<>();

	private final List<String> requeue = new ArrayList<>();

	private int numbers;

	StepGenerator(long seed) {
		this.random = new Random(seed);
		for (int i = 0; i < KEYS; i++) {
			this.usual.add(any(LOCKS));
		}
	}

	List<QueueStep> program(int length) {
		List<QueueStep> steps = new ArrayList<>();
		while (steps.size() < length) {
			steps.add(step());
		}
		return steps;
	}

	private QueueStep step() {
		int dice = this.random.nextInt(100);
		if (dice < 24) {
			return new QueueStep.Enqueue(jobs());
		}
		if (dice < 27) {
			return new QueueStep.Enqueue(again());
		}
		if (dice < 46) {
			return new QueueStep.Reserve(any(POLLERS), wish(), one(8));
		}
		if (dice < 64) {
			return new QueueStep.Settle(any(POLLERS), 1 + this.random.nextInt(3), kind(), seconds(20),
					one(2) ? wish() : null);
		}
		if (dice < 69) {
			return new QueueStep.Repeat(any(POLLERS));
		}
		if (dice < 76) {
			return new QueueStep.Renew(any(POLLERS));
		}
		if (dice < 85) {
			return new QueueStep.Advance(pause());
		}
		if (dice < 91) {
			return update();
		}
		if (dice < 94) {
			return requeue();
		}
		return rare();
	}

	private QueueStep rare() {
		return switch (this.random.nextInt(16)) {
			case 0, 1 -> new QueueStep.Die(any(POLLERS));
			case 2, 3, 4 -> new QueueStep.Cancel(this.enqueued.isEmpty() ? "nobody" : recent().id());
			case 5 -> new QueueStep.Pause(any(QUEUES), true);
			case 6, 7 -> new QueueStep.Pause(any(QUEUES), false);
			case 8 -> one(3) ? new QueueStep.Remove(any(QUEUES)) : new QueueStep.Renew(any(POLLERS));
			case 9, 10, 11 -> new QueueStep.TakeForeign(key(this.random.nextInt(KEYS)), seconds(60));
			case 12, 13, 14 -> new QueueStep.ReleaseForeign(key(this.random.nextInt(KEYS)));
			default -> new QueueStep.Claim(key(this.random.nextInt(KEYS)), seconds(30));
		};
	}

	private QueueStep update() {
		Kind kind = any(List.of(Kind.MOVE, Kind.MOVE, Kind.MOVE, Kind.RUN_NOW, Kind.RUN_NOW, Kind.DISMISS, Kind.CANCEL,
				Kind.RESCHEDULE, Kind.RESCHEDULE));
		String queue = (kind == Kind.MOVE) ? any(QUEUES) : null;
		Duration in = one(3) ? Duration.ZERO : seconds(30);
		String step = "s" + ++this.numbers;
		Set<String> ids = new LinkedHashSet<>();
		for (int i = (kind == Kind.DISMISS) ? 12 : 1 + this.random.nextInt(6); i > 0; i--) {
			ids.add((kind == Kind.DISMISS) ? olderId() : recentId());
		}
		List<ExpectedJob> jobs = new ArrayList<>();
		for (String id : ids) {
			Set<JobState> states = one(4) ? EnumSet.of(any(List.of(JobState.values())), JobState.READY) : Set.of();
			jobs.add(new ExpectedJob(id, states, one(8) ? any(QUEUES) : null, one(8) ? "[" + this.numbers + "]" : null,
					null));
		}
		return new QueueStep.Update(kind, queue, in, step, List.copyOf(jobs));
	}

	private QueueStep requeue() {
		List<RequeuedJob> letters = new ArrayList<>();
		for (int i = 12; i > 0; i--) {
			String newId = (one(6) && !this.requeue.isEmpty()) ? any(this.requeue) : "p" + ++this.numbers;
			String letter = (one(2) && !this.letters.isEmpty()) ? any(this.letters) : olderId();
			letters.add(new RequeuedJob(letter, newId));
			this.letters.add(letter);
			this.requeue.add(newId);
		}
		return new QueueStep.RequeueAll(List.copyOf(letters));
	}

	/**
	 * The id of a job that was enqueued lately, or put back.
	 */
	private String recentId() {
		if (this.enqueued.isEmpty()) {
			return "nobody";
		}
		return (one(6) && !this.requeue.isEmpty()) ? any(this.requeue) : recent().id();
	}

	/**
	 * The id of a job that may have died meanwhile.
	 */
	private String olderId() {
		int size = this.enqueued.size();
		return (size == 0 || one(4)) ? recentId()
				: this.enqueued.get(size - 1 - this.random.nextInt(Math.min(size, 40))).id();
	}

	private List<NewJob> jobs() {
		List<NewJob> jobs = new ArrayList<>();
		for (int i = one(3) ? 1 + this.random.nextInt(14) : 1; i > 0; i--) {
			jobs.add(job());
		}
		this.enqueued.addAll(jobs);
		return List.copyOf(jobs);
	}

	private List<NewJob> again() {
		if (this.enqueued.isEmpty()) {
			return jobs();
		}
		return List.of(recent());
	}

	private NewJob recent() {
		int size = this.enqueued.size();
		return this.enqueued.get(size - 1 - this.random.nextInt(Math.min(size, 12)));
	}

	private NewJob job() {
		String id = "j" + ++this.numbers;
		int name = this.random.nextInt(KEYS);
		LockStrategy lock = one(8) ? LockStrategy.NONE : (one(6) ? any(LOCKS) : this.usual.get(name));
		TestJob job = TestJob.of(id)
			.named(nameOf(name))
			.in(any(QUEUES))
			.arguments("[" + this.numbers + "]")
			.with(lock, key(name))
			.onDuplicate(any(DUPLICATES))
			.onConflict(any(CONFLICTS))
			.retries(this.random.nextInt(3));
		if (this.numbers % 2 == 0) {
			job.trace("trace of " + id);
		}
		if (one(4)) {
			job.after(seconds(20));
		}
		if (lock == LockStrategy.UNTIL_EXPIRED || one(5)) {
			job.uniqueFor(seconds(60));
		}
		if (one(5)) {
			job.holdAtLeast(seconds(40));
		}
		if (one(3)) {
			job.maxDelay(seconds(30));
		}
		return job.build();
	}

	private QueueStep.Wish wish() {
		List<String> queues = new ArrayList<>(QUEUES);
		Collections.shuffle(queues, this.random);
		List<QueueLimit> limits = queues.subList(0, 1 + this.random.nextInt(queues.size()))
			.stream()
			.map((queue) -> new QueueLimit(queue, one(5) ? 1 + this.random.nextInt(2) : 0))
			.toList();
		int slots = one(10) ? 0 : (one(2) ? 1 : 3);
		return new QueueStep.Wish("r" + ++this.numbers, slots, limits, one(3) ? Set.of(NEW) : Set.of());
	}

	private RunEnd.Kind kind() {
		return one(2) ? RunEnd.Kind.SUCCEEDED : any(List.of(RunEnd.Kind.values()));
	}

	private Duration pause() {
		return switch (this.random.nextInt(6)) {
			case 0 -> Duration.ofMillis(1);
			case 1 -> TestJob.LEASE.plusMillis(this.random.nextInt(2000));
			case 2 -> Duration.ofSeconds(this.random.nextInt(20));
			default -> Duration.ofMillis(this.random.nextInt(6000));
		};
	}

	private Duration seconds(int most) {
		return Duration.ofMillis(1 + this.random.nextInt(most * 1000));
	}

	private static JobKey key(int name) {
		JobKey key = TestJob.key("k" + name);
		return new JobKey(nameOf(name), key.digest(), key.text());
	}

	/**
	 * Some workers have no handler for the job of the last key.
	 */
	private static String nameOf(int key) {
		return (key == KEYS - 1) ? NEW : "job";
	}

	private boolean one(int in) {
		return this.random.nextInt(in) == 0;
	}

	private <T extends @Nullable Object> T any(List<T> choice) {
		return choice.get(this.random.nextInt(choice.size()));
	}

}
