package io.locket.worker.run;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.stream.Stream;

import io.locket.key.JobKeys;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.WorkerFixture;
import io.locket.worker.run.HeldRun.EndedRun;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HeldRuns}.
 */
class HeldRunsTests {

	/**
	 * Checks a log that throws, as some appenders do. Otherwise the leases would be
	 * renewed for ever, and the jobs of the same reply would be lost until theirs expire.
	 */
	@Test
	void leasesEndThoughTheResultsCannotBeLogged() {
		try (WorkerFixture fixture = new WorkerFixture()) {
			HeldRuns runs = new HeldRuns(fixture.leases, new JobKeys(), (record) -> false);
			List<EndedRun> ended = Stream.of("a", "b")
				.map((job) -> fixture.queue.reserved("q", job, Duration.ofSeconds(30)))
				.map((job) -> runs.begin(job, System.nanoTime()).ended(RunEnd.succeeded(job)))
				.toList();
			assertThat(fixture.heartbeat.size()).isEqualTo(2);
			runs.end(ended, new UnreadableResults());
			assertThat(fixture.heartbeat.size()).isZero();
		}
	}

	private static final class UnreadableResults extends AbstractList<EndResult> {

		@Override
		public EndResult get(int index) {
			throw new IllegalStateException("for a test");
		}

		@Override
		public int size() {
			return 2;
		}

	}

}
