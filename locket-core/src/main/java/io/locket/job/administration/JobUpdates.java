package io.locket.job.administration;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.locket.JobState;
import io.locket.job.JobIds;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.UpdateAction;
import org.jspecify.annotations.Nullable;

/**
 * Bulk actions on jobs, processed in pages. Each job is updated only if it is unchanged
 * since it was read. Each call of the store has an id of its own, because a later page
 * can contain a job that an earlier one has updated.
 */
final class JobUpdates {

	/**
	 * States of dead letters.
	 */
	static final Set<JobState> LETTERS = Set.of(JobState.DEAD);

	private static final int PAGE = 500;

	private static final int STEP = 100;

	private final JobStore store;

	private final JobIds ids;

	JobUpdates(JobStore store, JobIds ids) {
		this.store = store;
		this.ids = ids;
	}

	/**
	 * Updates jobs.
	 * @param kind the kind of update
	 * @param queue the queue to move to, or {@code null}
	 * @param at the due time, or {@code null}
	 * @param jobs the jobs
	 * @return the result
	 */
	UpdateSummary update(UpdateAction.Kind kind, @Nullable String queue, @Nullable Instant at, FilteredJobs jobs) {
		UpdateAction action = action(kind, queue, at);
		long matched = 0;
		long done = 0;
		long flagged = 0;
		long changed = 0;
		String cursor = null;
		do {
			UpdateStep step = step(action, jobs, PAGE, cursor);
			matched += step.matched();
			done += step.done();
			flagged += step.flagged();
			changed += step.refused();
			cursor = step.cursor();
		}
		while (cursor != null);
		return new UpdateSummary(matched, done, flagged, changed);
	}

	UpdateAction action(UpdateAction.Kind kind, @Nullable String queue, @Nullable Instant at) {
		return new UpdateAction(kind, queue, at, this.ids.next());
	}

	/**
	 * Updates the jobs of one page.
	 */
	UpdateStep step(UpdateAction action, FilteredJobs jobs, int limit, @Nullable String cursor) {
		Predicate<JobRecord> undone = switch (action.kind()) {
			case CANCEL -> (job) -> !job.cancelled();
			case MOVE -> (job) -> !job.queue().equals(action.queue());
			case RESCHEDULE -> (job) -> !Objects.equals(job.startAt(), action.at());
			case RUN_NOW, DISMISS -> (job) -> true;
		};
		JobPage page = jobs.page(limit, cursor);
		List<ExpectedJob> seen = page.jobs().stream().filter(undone).map(jobs::expected).toList();
		long done = 0;
		long flagged = 0;
		for (int from = 0; from < seen.size(); from += STEP) {
			List<UpdateResult> results = this.store.update(action.withId(this.ids.next()),
					seen.subList(from, Math.min(seen.size(), from + STEP)));
			done += results.stream().filter(UpdateResult.DONE::equals).count();
			flagged += results.stream().filter(UpdateResult.FLAGGED::equals).count();
		}
		return new UpdateStep(seen.size(), done, flagged, seen.size() - done - flagged, page.cursor());
	}

	RequeueSummary requeue(FilteredJobs letters) {
		long matched = 0;
		long accepted = 0;
		String cursor = null;
		do {
			UpdateStep step = requeueStep(letters, STEP, cursor);
			matched += step.matched();
			accepted += step.done();
			cursor = step.cursor();
		}
		while (cursor != null);
		return new RequeueSummary(matched, accepted, matched - accepted);
	}

	/**
	 * Requeues the letters of one page.
	 */
	UpdateStep requeueStep(FilteredJobs letters, int limit, @Nullable String cursor) {
		JobPage page = letters.page(limit, cursor);
		List<RequeuedJob> seen = page.jobs()
			.stream()
			.map((letter) -> new RequeuedJob(letter.id(), this.ids.next()))
			.toList();
		long accepted = 0;
		for (int from = 0; from < seen.size(); from += STEP) {
			List<EnqueueResult> results = this.store.requeue(seen.subList(from, Math.min(seen.size(), from + STEP)));
			accepted += results.stream().filter(EnqueueResult.Accepted.class::isInstance).count();
		}
		return new UpdateStep(seen.size(), accepted, 0, seen.size() - accepted, page.cursor());
	}

	/**
	 * Returns the states of jobs that an action applies to.
	 */
	static Set<JobState> states(UpdateAction.Kind kind) {
		return switch (kind) {
			case CANCEL -> EnumSet.range(JobState.SCHEDULED, JobState.RUNNING);
			case MOVE, RESCHEDULE -> EnumSet.range(JobState.SCHEDULED, JobState.RETRY);
			case RUN_NOW -> EnumSet.of(JobState.SCHEDULED, JobState.RETRY);
			case DISMISS -> LETTERS;
		};
	}

	UpdateResult update(UpdateAction.Kind kind, @Nullable String queue, @Nullable Instant at, String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.store.update(action(kind, queue, at), List.of(ExpectedJob.of(id))).get(0);
	}

	/**
	 * Requeues one letter.
	 * @throws IllegalArgumentException if the job is not known. The store returns it as a
	 * duplicate of itself without a state
	 */
	EnqueueResult requeue(String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		EnqueueResult result = this.store.requeue(List.of(new RequeuedJob(id, this.ids.next()))).get(0);
		if (result instanceof EnqueueResult.Duplicate itself && itself.state() == null
				&& (id.isEmpty() || id.equals(itself.of()))) {
			throw new IllegalArgumentException("There is no job '" + id + "', or it is no longer known");
		}
		return result;
	}

}
