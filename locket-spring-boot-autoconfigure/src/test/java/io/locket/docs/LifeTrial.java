package io.locket.docs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.QueueHarness;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * The job {@code a} in a queue of its own, and a record of its state transitions.
 */
final class LifeTrial {

	static final Duration HOUR = Duration.ofHours(1);

	static final Duration DAYS = Duration.ofDays(2);

	private static final JobKey KEY = TestJob.key("k");

	private static final String QUEUE = "q";

	private final QueueHarness harness;

	private final ConflictStrategy onConflict;

	private final Set<String> transitions;

	private final Map<String, String> states = new TreeMap<>();

	private @Nullable ReservedJob run;

	private boolean foreign;

	private int calls;

	/**
	 * Creates a trial.
	 * @param harness an empty queue
	 * @param onConflict the strategy of its jobs
	 * @param transitions where to record the transitions
	 */
	LifeTrial(QueueHarness harness, ConflictStrategy onConflict, Set<String> transitions) {
		this.harness = harness;
		this.onConflict = onConflict;
		this.transitions = transitions;
	}

	void enqueue(String id, Duration delay) {
		LockStrategy lock = (this.onConflict == ConflictStrategy.PARK) ? LockStrategy.UNTIL_AND_WHILE_EXECUTING
				: LockStrategy.WHILE_EXECUTING;
		this.states.put(id, StatePicture.EDGE);
		this.harness.queue()
			.enqueue(TestJob.of(id).in(QUEUE).with(lock, KEY).onConflict(this.onConflict).after(delay).build());
		look(false);
	}

	/**
	 * Lets a worker take the next job.
	 * @param without the names of jobs for which the worker has no handler
	 */
	void take(String... without) {
		serve();
		reserve(1, without);
	}

	/**
	 * Processes due work without taking jobs.
	 */
	void serve() {
		reserve(0);
	}

	private void reserve(int slots, String... without) {
		List<ReservedJob> jobs = this.harness.queue()
			.reserve(new ReservationRequest("r" + ++this.calls, "w", "host/1/w", "thread-w",
					List.of(new QueueLimit(QUEUE, 0)), slots, Set.of(without)))
			.jobs();
		this.run = jobs.isEmpty() ? this.run : jobs.get(0);
		look(slots > 0);
	}

	/**
	 * Takes the key as a plain lock registry does.
	 */
	void hold() {
		this.harness.takeForeign(KEY, DAYS.multipliedBy(2));
		this.foreign = true;
	}

	void free() {
		if (this.foreign) {
			this.harness.releaseForeign(KEY);
			this.foreign = false;
			pass(Duration.ofSeconds(2));
		}
	}

	/**
	 * Takes the key away from the current run.
	 */
	void lose() {
		if (this.run != null) {
			this.harness.releaseForeign(KEY);
		}
	}

	void pass(Duration time) {
		this.harness.advance(time);
		serve();
	}

	void end(Function<ReservedJob, RunEnd> end) {
		if (this.run != null) {
			this.harness.queue().settle(List.of(end.apply(this.run)), null);
			look(false);
		}
	}

	boolean isRunning() {
		return "RUNNING".equals(this.states.get("a"));
	}

	void cancel() {
		this.harness.store().cancel("a");
		look(false);
	}

	void remove() {
		this.harness.store().remove(QUEUE);
		look(false);
	}

	void runNow() {
		update(new UpdateAction(UpdateAction.Kind.RUN_NOW, null, "s"));
	}

	void move() {
		update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "s"));
	}

	void reschedule(Duration delay) {
		update(new UpdateAction(UpdateAction.Kind.RESCHEDULE, null, this.harness.now().plus(delay), "s"));
	}

	private void update(UpdateAction action) {
		this.harness.store().update(action, List.of(ExpectedJob.of("a")));
		look(false);
	}

	/**
	 * Records the transitions since the last look.
	 * @param taking whether a worker may have taken a job. A job that was set aside is
	 * made ready first, in the same step.
	 */
	private void look(boolean taking) {
		this.states.replaceAll((id, before) -> {
			String after = this.harness.store().find(id).map((job) -> job.state().name()).orElse(before);
			if (taking && before.equals("RETRY") && !after.equals(before)) {
				this.transitions.add("RETRY --> READY");
				this.transitions.add("READY --> " + after);
			}
			else if (!after.equals(before)) {
				this.transitions.add(before + " --> " + after);
			}
			return after;
		});
	}

}
