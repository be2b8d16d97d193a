package io.locket.worker.run;

import java.time.Duration;

import io.locket.LockStrategy;
import io.locket.key.JobKeys;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.ReservedJob;
import io.locket.worker.WorkerFixture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HeldRun}.
 */
class HeldRunTests {

	@ParameterizedTest
	@CsvSource({ "WHILE_EXECUTING, true, true", "WHILE_EXECUTING, false, false", "UNTIL_EXPIRED, false, true" })
	void callsOfTheKeyArePartOfARunThatHoldsItsLeaseOrClaim(LockStrategy lock, boolean keyLeased, boolean part) {
		try (WorkerFixture fixture = new WorkerFixture()) {
			ReservedJob job = fixture.queue.reserved("q", "job", Duration.ofSeconds(30));
			ReservedJob locked = new ReservedJob(with(lock, job.record()), job.token(), job.fence(), keyLeased, null,
					null);
			HeldRun run = new HeldRuns(fixture.leases, new JobKeys(), (record) -> false).begin(locked,
					System.nanoTime());
			assertThat(run.keyLease()).isSameAs(part ? run.bodyLease() : null);
			run.abandon();
		}
	}

	private static JobRecord with(LockStrategy lock, JobRecord record) {
		return new JobRecord(record.version(), record.id(), record.job(), record.queue(), record.arguments(),
				record.key(), lock, record.onConflict(), record.state(), record.enqueuedAt(), record.startAt(),
				record.startedAt(), record.endedAt(), record.attempt(), record.retries(), record.reclaims(),
				record.instance(), record.leaseFor(), record.cancelled(), record.lastError(), record.trace(),
				record.supersededBy(), record.requeuedAs(), record.progress(), record.retryReason());
	}

}
