package io.locket.queue.memory;

import java.util.List;
import java.util.Objects;

import io.locket.JobState;
import io.locket.event.JobMoved;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.UpdateAction;

/**
 * Bulk actions on jobs of the {@link InMemoryJobQueue}.
 */
final class MemoryUpdates {

	private final MemoryStore store;

	private final MemoryLife life;

	MemoryUpdates(MemoryLife life) {
		this.store = life.store;
		this.life = life;
	}

	/**
	 * Updates jobs. If one of them has the id of the update, the call is a repetition. It
	 * updates no further job, because the first call may have made one fit that it had
	 * refused.
	 */
	List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs) {
		boolean repeated = jobs.stream()
			.map((expected) -> this.store.jobs.get(expected.id()))
			.anyMatch((job) -> job != null && job.updated.containsKey(action.id()));
		return jobs.stream().map((expected) -> update(action, expected, repeated)).toList();
	}

	private UpdateResult update(UpdateAction action, ExpectedJob expected, boolean repeated) {
		MemoryJob job = this.store.jobs.get(expected.id());
		if (job == null) {
			return UpdateResult.UNKNOWN;
		}
		UpdateResult known = job.updated.get(action.id());
		if (known != null) {
			return known;
		}
		boolean changed = (!expected.states().isEmpty() && !expected.states().contains(job.state))
				|| (expected.queue() != null && !expected.queue().equals(job.queue()))
				|| (expected.arguments() != null && !expected.arguments().equals(job.arguments))
				|| (expected.due() != null && !Long.valueOf(expected.due().toEpochMilli()).equals(job.due));
		UpdateResult result = (repeated || changed) ? UpdateResult.REFUSED : update(action, job);
		if (result != UpdateResult.REFUSED) {
			job.updated.put(action.id(), result);
		}
		return result;
	}

	private UpdateResult update(UpdateAction action, MemoryJob job) {
		return switch (action.kind()) {
			case CANCEL -> cancel(job);
			case MOVE -> move(job, Objects.requireNonNull(action.queue()));
			case RUN_NOW -> runNow(job);
			case RESCHEDULE -> reschedule(job, Objects.requireNonNull(action.at()).toEpochMilli());
			case DISMISS -> dismiss(job);
		};
	}

	private UpdateResult cancel(MemoryJob job) {
		if (job.is(JobState.RUNNING)) {
			job.cancelled = true;
			return UpdateResult.FLAGGED;
		}
		if (job.state.isWaiting()) {
			this.life.end(job, JobState.CANCELLED);
			this.life.promote(job.digest());
		}
		return job.is(JobState.CANCELLED) ? UpdateResult.DONE : UpdateResult.REFUSED;
	}

	private UpdateResult move(MemoryJob job, String queue) {
		if (!job.state.isWaiting()) {
			return UpdateResult.REFUSED;
		}
		String from = job.queue();
		if (!from.equals(queue)) {
			this.life.addEvent(new JobMoved(job.id(), job.name(), queue, from));
			this.life.move(job, queue);
		}
		return UpdateResult.DONE;
	}

	private UpdateResult runNow(MemoryJob job) {
		if (job.is(JobState.SCHEDULED) || job.is(JobState.RETRY)) {
			this.store.change(job, () -> job.due = Math.min(Objects.requireNonNull(job.due), this.store.now));
			this.life.append(job);
		}
		return job.is(JobState.READY) ? UpdateResult.DONE : UpdateResult.REFUSED;
	}

	private UpdateResult reschedule(MemoryJob job, long due) {
		if (!job.state.isWaiting()) {
			return UpdateResult.REFUSED;
		}
		this.life.reschedule(job, due);
		return UpdateResult.DONE;
	}

	private UpdateResult dismiss(MemoryJob job) {
		if (!job.is(JobState.DEAD)) {
			return UpdateResult.REFUSED;
		}
		job.dismissed = true;
		return UpdateResult.DONE;
	}

}
