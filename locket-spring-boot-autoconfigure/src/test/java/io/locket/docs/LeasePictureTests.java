package io.locket.docs;

import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.locket.autoconfigure.properties.LocketProperties;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the picture of a lease in docs/how-a-lease-works.md.
 */
class LeasePictureTests {

	private final MermaidPicture picture = MermaidPicture.of("how-a-lease-works.md", "sequenceDiagram");

	@Test
	void scriptsOfThePictureExist() {
		assertThat(Pattern.compile("[a-z-]+\\.lua").matcher(this.picture.page()).results().map(MatchResult::group))
			.isNotEmpty()
			.allSatisfy(
					(script) -> assertThat(new ClassPathResource("io/locket/lease/redis/" + script).exists()).isTrue());
	}

	@Test
	void timesOfThePictureAreTheDefaults() {
		LocketProperties.Lease lease = new LocketProperties().getLease();
		assertThat(this.picture.page()).contains("every " + seconds(lease.getHeartbeat()),
				"renewed, " + seconds(lease.getDuration()) + " left",
				"That is " + lease.getDuration().multipliedBy(9).dividedBy(10).toMillis() / 1000.0
						+ " s after the renewal was sent");
	}

	private static String seconds(Duration duration) {
		return duration.toSeconds() + " s";
	}

}
