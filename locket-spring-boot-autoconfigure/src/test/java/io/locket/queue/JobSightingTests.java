package io.locket.queue;

import java.util.Set;

import io.locket.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobSighting}.
 */
class JobSightingTests {

	@Test
	void sightingIsNamedWithoutItsArguments() {
		assertThat(new JobSighting("a", Set.of(JobState.READY), "q", "[\"secret\"]", null)).asString()
			.contains("a", "READY", "q")
			.doesNotContain("secret");
		assertThat(JobSighting.of("a")).hasToString("job a");
	}

}
