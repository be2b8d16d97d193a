package io.locket.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OutageLog}, with time driven by hand.
 */
@ExtendWith(OutputCaptureExtension.class)
class OutageLogTests {

	private final AtomicLong time = new AtomicLong();

	private final OutageLog log = new OutageLog(LogFactory.getLog(OutageLogTests.class), this.time::get, "Calls fail",
			"Calls succeed again");

	@Test
	void outageIsLoggedAtOnceThenOnceAMinuteAndWhenItIsOver(CapturedOutput output) {
		for (int second = 0; second < 121; second++) {
			this.log.failed(new IllegalStateException("gone"));
			advance(Duration.ofSeconds(1));
		}
		assertThat(occurrences(output, "Calls fail")).isEqualTo(3);
		this.log.succeeded();
		this.log.succeeded();
		assertThat(occurrences(output, "succeed again, after 121 s")).isEqualTo(1);
		advance(Duration.ofMinutes(1));
		this.log.failed(new IllegalStateException("gone"));
		assertThat(occurrences(output, "Calls fail")).isEqualTo(4);
	}

	@Test
	void failuresBetweenRepliesAreLoggedOnceAMinute(CapturedOutput output) {
		for (int second = 0; second < 90; second++) {
			this.log.failed(new IllegalStateException("gone"));
			this.log.succeeded();
			advance(Duration.ofSeconds(1));
		}
		assertThat(occurrences(output, "Calls fail")).isEqualTo(2);
		assertThat(occurrences(output, "succeed again")).isEqualTo(2);
	}

	@Test
	void textOfTheFailureReplacesItsException(CapturedOutput output) {
		this.log.failed(new IllegalStateException("gone"), "Redis is gone");
		assertThat(output).contains("(logged once a minute): Redis is gone").doesNotContain("IllegalStateException");
	}

	@Test
	void interruptedThreadLogsNothing(CapturedOutput output) {
		Thread.currentThread().interrupt();
		this.log.failed(new IllegalStateException("gone"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(occurrences(output, "Calls fail")).isZero();
	}

	private void advance(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

	private static int occurrences(CapturedOutput output, String text) {
		return output.getOut().split(text, -1).length - 1;
	}

}
