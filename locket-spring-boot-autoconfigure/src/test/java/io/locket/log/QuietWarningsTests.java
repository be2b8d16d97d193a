package io.locket.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link QuietWarnings}.
 */
class QuietWarningsTests {

	private final Log logger = mock(Log.class);

	private final AtomicLong time = new AtomicLong(-5);

	private final QuietWarnings warnings = new QuietWarnings(this.logger, this.time::get);

	@Test
	void subjectIsWarnedOfOnceAMinute() {
		assertThat(this.warnings.warn("bills", "first")).isTrue();
		this.time.addAndGet(Duration.ofMinutes(1).toNanos() - 1);
		assertThat(this.warnings.warn("bills", "second")).isFalse();
		this.time.incrementAndGet();
		assertThat(this.warnings.warn("bills", "third")).isTrue();
		then(this.logger).should().warn("first (logged once a minute for bills)", null);
		then(this.logger).should().debug("second", null);
		then(this.logger).should().warn("third (logged once a minute for bills)", null);
	}

	@Test
	void subjectsDoNotSilenceOneAnother() {
		RuntimeException failure = new IllegalStateException();
		assertThat(this.warnings.warn("bills", "message", failure)).isTrue();
		assertThat(this.warnings.warn("mails", "message", failure)).isTrue();
		then(this.logger).should().warn("message (logged once a minute for mails)", failure);
	}

	@Test
	void failureThatCannotBeWrittenIsNoFailureOfTheCaller() {
		RuntimeException failure = new IllegalStateException();
		willThrow(new UnsupportedOperationException()).given(this.logger).warn(any(), eq(failure));
		assertThat(this.warnings.warn("bills", "message", failure)).isTrue();
		then(this.logger).should()
			.warn("message (logged once a minute for bills). The failure cannot be written:"
					+ " java.lang.UnsupportedOperationException");
	}

	@Test
	void subjectsOfTheLastMinuteStayQuietWhenOthersAreForgotten() {
		this.warnings.warn("old", "message");
		this.time.addAndGet(Duration.ofSeconds(59).toNanos());
		for (int i = 0; i < 1000; i++) {
			this.warnings.warn("subject " + i, "message");
		}
		this.time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.warnings.warn("subject 0", "message")).isFalse();
		assertThat(this.warnings.warn("old", "message")).isTrue();
	}

}
