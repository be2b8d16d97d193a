package io.locket.queue.spi;

import java.util.Set;

import io.locket.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ExpectedJob}.
 */
class ExpectedJobTests {

	@Test
	void expectedJobIsNamedWithoutItsArguments() {
		assertThat(new ExpectedJob("a", Set.of(JobState.READY), "q", "[\"secret\"]", null)).asString()
			.contains("a", "READY", "q")
			.doesNotContain("secret");
		assertThat(ExpectedJob.of("a")).hasToString("job a");
	}

}
