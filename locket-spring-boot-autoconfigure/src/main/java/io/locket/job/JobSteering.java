package io.locket.job;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.JobStore;
import io.locket.queue.PutBack;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import org.jspecify.annotations.Nullable;

/**
 * Steers many jobs, a page at a time. Each is steered only as it was seen, and with the
 * same id of the step: what is seen again is answered as the first time.
 */
final class JobSteering {

	private static final int PAGE = 500;

	private static final int STEP = 100;

	private final JobStore store;

	private final JobIds ids;

	JobSteering(JobStore store, JobIds ids) {
		this.store = store;
		this.ids = ids;
	}

	/**
	 * Steer jobs.
	 * @param kind what to do
	 * @param queue the queue to move to, or {@code null}
	 * @param jobs which ones
	 * @return what became of them
	 */
	SteerSummary steer(SteerAction.Kind kind, @Nullable String queue, FilteredJobs jobs) {
		SteerAction action = new SteerAction(kind, queue, this.ids.next());
		Predicate<JobRecord> undone = switch (kind) {
			case CANCEL -> (job) -> !job.cancelled();
			case MOVE -> (job) -> !job.queue().equals(queue);
			case RUN_NOW, DISMISS -> (job) -> true;
		};
		long matched = 0;
		long done = 0;
		long flagged = 0;
		String cursor = null;
		do {
			JobPage page = jobs.page(PAGE, cursor);
			List<JobSighting> seen = page.jobs().stream().filter(undone).map(jobs::sighting).toList();
			for (int from = 0; from < seen.size(); from += STEP) {
				List<SteerResult> results = this.store.steer(action,
						seen.subList(from, Math.min(seen.size(), from + STEP)));
				done += results.stream().filter(SteerResult.DONE::equals).count();
				flagged += results.stream().filter(SteerResult.FLAGGED::equals).count();
			}
			matched += seen.size();
			cursor = page.cursor();
		}
		while (cursor != null);
		return new SteerSummary(matched, done, flagged, matched - done - flagged);
	}

	PutBackSummary putBack(FilteredJobs letters) {
		long matched = 0;
		long accepted = 0;
		String cursor = null;
		do {
			JobPage page = letters.page(STEP, cursor);
			List<EnqueueResult> results = this.store
				.putBack(page.jobs().stream().map((letter) -> new PutBack(letter.id(), this.ids.next())).toList());
			matched += page.jobs().size();
			accepted += results.stream().filter(EnqueueResult.Accepted.class::isInstance).count();
			cursor = page.cursor();
		}
		while (cursor != null);
		return new PutBackSummary(matched, accepted, matched - accepted);
	}

	SteerResult steer(SteerAction.Kind kind, @Nullable String queue, String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.store.steer(new SteerAction(kind, queue, this.ids.next()), List.of(JobSighting.of(id))).get(0);
	}

	EnqueueResult putBack(String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.store.putBack(List.of(new PutBack(id, this.ids.next()))).get(0);
	}

}
