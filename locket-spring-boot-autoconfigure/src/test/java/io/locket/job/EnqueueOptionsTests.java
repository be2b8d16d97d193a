package io.locket.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EnqueueOptions}.
 */
class EnqueueOptionsTests {

	private static final Instant TIME = Instant.parse("2030-01-01T12:00:00Z");

	@Test
	void optionsAreEqualByAllTheirValues() {
		EnqueueOptions options = EnqueueOptions.at(TIME).queue("mail").id("a");
		assertThat(options).isEqualTo(EnqueueOptions.at(TIME).id("a").queue("mail"))
			.hasSameHashCodeAs(EnqueueOptions.at(TIME).id("a").queue("mail"))
			.isNotEqualTo(null)
			.isNotEqualTo("options");
		assertThat(Set.of(options, options.queue("other"), options.id("b"), options.immediate(), EnqueueOptions.now(),
				EnqueueOptions.in(Duration.ofSeconds(1))))
			.hasSize(6);
	}

	@Test
	void optionsKeepTheirOtherValues() {
		assertThat(EnqueueOptions.at(TIME).immediate().id("a").queue("mail"))
			.hasToString("at 2030-01-01T12:00:00Z into queue mail with id a, immediate")
			.isEqualTo(EnqueueOptions.at(TIME).queue("mail").id("a").immediate());
	}

	@Test
	void descriptionHasWhatWasSet() {
		assertThat(EnqueueOptions.now()).hasToString("now");
		assertThat(EnqueueOptions.in(Duration.ofMinutes(5)).queue("mail")).hasToString("in PT5M into queue mail");
		assertThat(EnqueueOptions.at(TIME).id("a").immediate())
			.hasToString("at 2030-01-01T12:00:00Z with id a, immediate");
	}

	@Test
	void timeBeforeTheEpochIsDueAtOnce() {
		assertThat(EnqueueOptions.at(Instant.MIN)).isEqualTo(EnqueueOptions.at(Instant.EPOCH));
	}

}
