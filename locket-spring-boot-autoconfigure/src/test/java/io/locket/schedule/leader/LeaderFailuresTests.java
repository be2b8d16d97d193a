package io.locket.schedule.leader;

import java.time.Duration;
import java.util.stream.LongStream;

import io.locket.LeaseUnavailableException;
import io.locket.schedule.firing.TestProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderFailures}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderFailuresTests {

	private final TestProcess.HandClock clock = new TestProcess.HandClock();

	private final LeaderFailures failures = new LeaderFailures(this.clock);

	@Test
	void dutyThatFailsForeverIsLeftToOthersForLongerAndLoggedOnceAMinute(CapturedOutput output) {
		long passed = 0;
		for (long seconds : LongStream.of(1, 2, 4, 8, 16, 32, 60, 60, 60).toArray()) {
			assertThat(fail()).isEqualTo(Duration.ofSeconds(seconds));
			this.clock.advance(Duration.ofSeconds(seconds));
			passed += seconds;
		}
		assertThat(passed).isEqualTo(243);
		assertThat(output.getOut().split("failed to perform the leader's task", -1)).hasSizeLessThanOrEqualTo(5 + 1);
		assertThat(output).doesNotContain("Could not determine the leader");
	}

	@Test
	void dutyThatFailsAfterALongTermIsTakenUpSoon() {
		fail();
		fail();
		long begun = this.clock.getAsLong();
		this.clock.advance(Duration.ofSeconds(61));
		assertThat(this.failures.unfit(1, begun, new OutOfMemoryError("test"))).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void storeWithoutAReplyIsLoggedOnceAMinute(CapturedOutput output) {
		RuntimeException failure = new LeaseUnavailableException("no reply", null);
		this.failures.requestFailed(failure);
		this.failures.requestFailed(failure);
		assertThat(output.getOut().split("Could not determine the leader", -1)).hasSize(2);
		this.failures.succeeded();
		this.failures.requestFailed(failure);
		assertThat(output.getOut().split("Could not determine the leader", -1)).hasSize(2);
		this.clock.advance(Duration.ofSeconds(60));
		this.failures.requestFailed(failure);
		assertThat(output.getOut().split("Could not determine the leader", -1)).hasSize(3);
	}

	@Test
	void requestThatFailsForAnotherReasonIsNoOutage(CapturedOutput output) {
		this.failures.requestFailed(new OutOfMemoryError("no room for leases"));
		this.failures.requestFailed(new IllegalStateException("a bug"));
		assertThat(output).contains("The request for the leader's lease failed").contains("no room for leases");
		assertThat(output).doesNotContain("Could not determine the leader").doesNotContain("Check Redis");
		assertThat(output.getOut().split("The request for the leader's lease failed", -1)).hasSize(2);
	}

	private Duration fail() {
		return this.failures.unfit(1, this.clock.getAsLong(), new OutOfMemoryError("test"));
	}

}
