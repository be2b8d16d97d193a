package io.locket.schedule;

import java.time.Duration;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderTroubles}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderTroublesTests {

	private final TestProcess.HandClock clock = new TestProcess.HandClock();

	private final LeaderTroubles troubles = new LeaderTroubles(this.clock);

	@Test
	void dutyThatFailsForEverIsLeftToOthersForLongerAndToldOnceAMinute(CapturedOutput output) {
		long passed = 0;
		for (long seconds : LongStream.of(1, 2, 4, 8, 16, 32, 60, 60, 60).toArray()) {
			assertThat(fail()).isEqualTo(Duration.ofSeconds(seconds));
			this.clock.advance(Duration.ofSeconds(seconds));
			passed += seconds;
		}
		assertThat(passed).isEqualTo(243);
		assertThat(output.getOut().split("failed to do a leader's duty", -1)).hasSizeLessThanOrEqualTo(5 + 1);
		assertThat(output).doesNotContain("Could not find out who leads");
	}

	@Test
	void dutyThatFailsAfterALongTermIsTakenUpSoon() {
		fail();
		fail();
		long begun = this.clock.getAsLong();
		this.clock.advance(Duration.ofSeconds(61));
		assertThat(this.troubles.unfit(1, begun, new OutOfMemoryError("test"))).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void storeWithoutAnAnswerIsToldOnceUntilItAnswers(CapturedOutput output) {
		RuntimeException failure = new IllegalStateException("no answer");
		this.troubles.noAnswer(failure);
		this.troubles.noAnswer(failure);
		assertThat(output.getOut().split("Could not find out who leads", -1)).hasSize(2);
		this.troubles.answered();
		this.troubles.noAnswer(failure);
		assertThat(output.getOut().split("Could not find out who leads", -1)).hasSize(3);
	}

	private Duration fail() {
		return this.troubles.unfit(1, this.clock.getAsLong(), new OutOfMemoryError("test"));
	}

}
