package io.locket.sample.web;

import java.util.List;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobStore;
import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the queues and their jobs.
 */
@RestController
class QueueController {

	private static final int LIMIT = 100;

	private final JobStore store;

	QueueController(JobStore store) {
		this.store = store;
	}

	@GetMapping("/queues")
	List<QueueView> queues() {
		return this.store.queues().stream().map((queue) -> QueueView.of(this.store.counts(queue))).toList();
	}

	/**
	 * Returns the jobs in a state, at most a hundred.
	 * @param state the state
	 * @param queue the queue, or {@code null} for all
	 * @return the jobs
	 */
	@GetMapping("/jobs")
	List<JobView> jobs(@RequestParam(defaultValue = "RUNNING") JobState state,
			@RequestParam(required = false) @Nullable String queue) {
		Stream<JobRecord> jobs = (queue != null || !state.isWaiting()) ? list(state, queue)
				: this.store.queues().stream().flatMap((name) -> list(state, name));
		return jobs.limit(LIMIT).map(JobView::of).toList();
	}

	private Stream<JobRecord> list(JobState state, @Nullable String queue) {
		return this.store.list(new JobQuery(state, queue, null, null, LIMIT, null)).jobs().stream();
	}

}
