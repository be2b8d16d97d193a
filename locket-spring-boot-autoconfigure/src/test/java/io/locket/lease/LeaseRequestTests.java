package io.locket.lease;

import java.time.Duration;
import java.util.Set;

import io.locket.JobKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaseRequest}.
 */
class LeaseRequestTests {

	private final LeaseRequest request = LeaseRequest.of(new JobKey("job", "digest", "[]"));

	@Test
	void changesAreCopies() {
		LeaseRequest changed = this.request.lasting(Duration.ofMinutes(1))
			.waiting(Duration.ofSeconds(2))
			.holdingAtLeast(Duration.ofSeconds(3));
		assertThat(changed.duration()).isEqualTo(Duration.ofMinutes(1));
		assertThat(changed.waitTime()).isEqualTo(Duration.ofSeconds(2));
		assertThat(changed.holdAtLeast()).isEqualTo(Duration.ofSeconds(3));
		assertThat(this.request.duration()).isNull();
		assertThat(this.request.waitTime()).isZero();
		assertThat(this.request.holdAtLeast()).isZero();
	}

	@Test
	void waitForReleaseIsAWait() {
		LeaseRequest changed = this.request.waitingForRelease(Duration.ofDays(36500)).lasting(Duration.ofMinutes(1));
		assertThat(changed.waitTime()).isEqualTo(Duration.ofDays(36500));
		assertThat(changed.waitsForRelease()).isTrue();
		assertThat(changed.waiting(Duration.ofSeconds(1)).waitsForRelease()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.waitingForRelease(Duration.ofMillis(-1)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT-1S", "PT0.0005S", "P36501D", "PT2562047788015215H" })
	void timesOutsideTheLimitsAreRefused(Duration time) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.lasting(time))
			.withMessageContaining("between 1 ms and 36500 days");
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.waiting(time));
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.holdingAtLeast(time));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a:b", "{a}" })
	void digestThatIsNoNameIsRefused(String digest) {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.of(new JobKey("job", digest, "[]")))
			.withMessageContaining("1 to 255 letters")
			.withMessageEndingWith("is '" + digest + "'");
	}

	@Test
	void leaseOfNoTimeIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.lasting(Duration.ZERO));
		assertThat(this.request.lasting(Duration.ofSeconds(1)).waiting(Duration.ZERO).waitTime()).isZero();
	}

	@Test
	void requestsAreEqualByAllTheirValues() {
		assertThat(full()).isEqualTo(full()).hasSameHashCodeAs(full());
		assertThat(Set.of(full(), full().lasting(Duration.ofSeconds(9)), full().waiting(Duration.ofSeconds(9)),
				full().waiting(Duration.ofSeconds(2)), full().holdingAtLeast(Duration.ofSeconds(9)), this.request))
			.hasSize(6);
		assertThat(full()).isNotEqualTo(null).isNotEqualTo("request");
	}

	@Test
	void descriptionHasNoTextOfTheKey() {
		LeaseRequest secret = LeaseRequest.of(new JobKey("report", "abc", "[\"secret\"]"));
		assertThat(secret).hasToString("lease of job report with key abc");
		assertThat(secret.lasting(Duration.ofMinutes(1))
			.waitingForRelease(Duration.ofSeconds(2))
			.holdingAtLeast(Duration.ofSeconds(3)))
			.hasToString("lease of job report with key abc for PT1M waiting PT2S for the release held at least PT3S");
	}

	private LeaseRequest full() {
		return LeaseRequest.of(new JobKey("report", "abc", "[]"))
			.lasting(Duration.ofMinutes(1))
			.waitingForRelease(Duration.ofSeconds(2))
			.holdingAtLeast(Duration.ofSeconds(3));
	}

}
