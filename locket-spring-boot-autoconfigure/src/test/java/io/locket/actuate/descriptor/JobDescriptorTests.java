package io.locket.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JobDescriptor}.
 */
class JobDescriptorTests {

	private static final Instant ENQUEUED = Instant.parse("2026-11-22T10:00:00Z");

	@Test
	void waitingTimeOfADelayedJobBeginsAtItsDueTime() {
		assertThat(waited(JobState.RUNNING, ENQUEUED.plusSeconds(60), ENQUEUED.plusSeconds(62))).isEqualTo(2000);
	}

	@Test
	void waitingTimeBeginsWithTheEnqueueIfTheJobWasDueBefore() {
		assertThat(waited(JobState.SUCCEEDED, ENQUEUED.minusSeconds(60), ENQUEUED.plusSeconds(3))).isEqualTo(3000);
		assertThat(waited(JobState.SUCCEEDED, null, ENQUEUED)).isZero();
	}

	@Test
	void jobThatWaitsOrNeverRanHasNoWaitingTime() {
		assertThat(waited(JobState.PARKED, null, ENQUEUED.plusSeconds(3))).isNull();
		assertThat(waited(JobState.CANCELLED, null, null)).isNull();
	}

	@Test
	void jobThatEndedBeforeItsNextDueTimeHasNoWaitingTime() {
		assertThat(waited(JobState.CANCELLED, ENQUEUED.plusSeconds(60), ENQUEUED.plusSeconds(3))).isNull();
	}

	private static @Nullable Long waited(JobState state, @Nullable Instant startAt, @Nullable Instant startedAt) {
		JobRecord job = new JobRecord(JobRecord.VERSION, "id", "job", "queue", "[]", null, LockStrategy.NONE,
				ConflictStrategy.PARK, state, ENQUEUED, startAt, startedAt, null, 0, 0, 0, null, Duration.ofSeconds(35),
				false, null, null, null, null, null, null);
		return JobDescriptor.of(job, mock(ArgumentMask.class)).waitedMs();
	}

}
