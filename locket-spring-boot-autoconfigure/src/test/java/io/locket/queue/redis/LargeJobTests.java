package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.NewJob;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for listing jobs with large arguments: Redis reads no more of them at once than a
 * page may have.
 */
class LargeJobTests {

	private static final int JOBS = 40;

	private static final String ARGUMENTS = "[\"" + "x".repeat(100_000) + "\"]";

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "READY", "RUNNING", "DEAD" })
	void pageOfLargeJobsIsShort(JobState state) {
		for (int i = 0; i < JOBS; i++) {
			this.fixture.queue.enqueue(large("large" + i));
		}
		if (state != JobState.READY) {
			List<ReservedJob> runs = this.fixture.reserve(JOBS, "default").jobs();
			if (state == JobState.DEAD) {
				this.fixture.queue.settle(runs.stream().map((run) -> RunEnd.dead(run, "it broke")).toList(), null);
			}
		}
		List<String> listed = new ArrayList<>();
		String cursor = null;
		do {
			JobPage page = this.fixture.store.list(new JobListing(state, "default", null, null, 1000, cursor));
			assertThat(page.jobs()).hasSizeBetween(1, 20);
			page.jobs().forEach((job) -> listed.add(job.id()));
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(listed).doesNotHaveDuplicates().hasSize(JOBS);
	}

	private static NewJob large(String id) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return new NewJob(job.id(), job.job(), job.queue(), ARGUMENTS, null, job.lock(), job.onDuplicate(),
				job.onConflict(), job.start(), job.leaseFor(), null, job.holdAtLeast(), job.rescheduleAfter(), null,
				job.retries(), null);
	}

}
