package io.locket.queue.memory;

import java.util.Objects;

import io.locket.JobState;
import io.locket.event.JobMoved;
import io.locket.queue.JobSighting;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;

/**
 * Does something with jobs of the {@link InMemoryJobQueue} that are there.
 */
final class MemorySteering {

	private final MemoryStore store;

	private final MemoryLife life;

	MemorySteering(MemoryLife life) {
		this.store = life.store;
		this.life = life;
	}

	SteerResult steer(SteerAction action, JobSighting sighting) {
		MemoryJob job = this.store.jobs.get(sighting.id());
		if (job == null) {
			return SteerResult.UNKNOWN;
		}
		SteerResult known = job.steered.get(action.id());
		if (known != null) {
			return known;
		}
		boolean changed = (!sighting.states().isEmpty() && !sighting.states().contains(job.state))
				|| (sighting.queue() != null && !sighting.queue().equals(job.queue()))
				|| (sighting.arguments() != null && !sighting.arguments().equals(job.arguments))
				|| (sighting.due() != null && !Long.valueOf(sighting.due().toEpochMilli()).equals(job.due));
		SteerResult result = changed ? SteerResult.REFUSED : steer(action, job);
		if (result != SteerResult.REFUSED) {
			job.steered.put(action.id(), result);
		}
		return result;
	}

	private SteerResult steer(SteerAction action, MemoryJob job) {
		return switch (action.kind()) {
			case CANCEL -> cancel(job);
			case MOVE -> move(job, Objects.requireNonNull(action.queue()));
			case RUN_NOW -> runNow(job);
			case DISMISS -> dismiss(job);
		};
	}

	private SteerResult cancel(MemoryJob job) {
		if (job.is(JobState.RUNNING)) {
			job.cancelled = true;
			return SteerResult.FLAGGED;
		}
		if (job.state.isWaiting()) {
			this.life.end(job, JobState.CANCELLED);
			this.life.promote(job.digest());
		}
		return job.is(JobState.CANCELLED) ? SteerResult.DONE : SteerResult.REFUSED;
	}

	private SteerResult move(MemoryJob job, String queue) {
		if (!job.state.isWaiting()) {
			return SteerResult.REFUSED;
		}
		String from = job.queue();
		if (!from.equals(queue)) {
			this.life.move(job, queue);
			this.life.tell(new JobMoved(job.id(), job.name(), queue, from));
		}
		return SteerResult.DONE;
	}

	private SteerResult runNow(MemoryJob job) {
		if (job.is(JobState.SCHEDULED) || job.is(JobState.RETRY)) {
			job.due = Math.min(Objects.requireNonNull(job.due), this.store.now);
			this.life.line(job);
		}
		return job.is(JobState.READY) ? SteerResult.DONE : SteerResult.REFUSED;
	}

	private SteerResult dismiss(MemoryJob job) {
		if (!job.is(JobState.DEAD)) {
			return SteerResult.REFUSED;
		}
		job.dismissed = true;
		return SteerResult.DONE;
	}

}
