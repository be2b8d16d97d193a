package io.locket.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketMeters} and its page in the documentation.
 */
class LocketMetersTests {

	@Test
	void documentationListsEveryMeterAsItIs() throws IOException {
		List<String> rows = Files.readAllLines(Path.of("..", "docs", "metrics.md"))
			.stream()
			.filter((line) -> line.startsWith("| `locket."))
			.toList();
		assertThat(rows)
			.containsExactlyElementsOf(Arrays.stream(LocketMeters.values()).map(LocketMetersTests::row).toList());
	}

	@Test
	void everyMeterIsMadeAsItIsAndThereIsNoOther() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		EveryMeter.in(registry);
		assertThat(registry.getMeters().stream().map((meter) -> meter.getId().getName()).distinct())
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(LocketMeters.values()).map(LocketMeters::meterName).toList());
		for (LocketMeters expected : LocketMeters.values()) {
			assertThat(registry.get(expected.meterName()).meters()).allSatisfy((meter) -> {
				assertThat(meter.getId().getType()).isEqualTo(expected.type());
				assertThat(meter.getId().getDescription()).isEqualTo(expected.description());
				assertThat(meter.getId().getTags()).extracting(Tag::getKey)
					.containsExactlyInAnyOrderElementsOf(expected.tags());
			});
		}
	}

	@Test
	void namesAreThoseThatMicrometerAdvises() {
		for (LocketMeters meter : LocketMeters.values()) {
			assertThat(meter.meterName()).matches("locket(\\.[a-z]+)+");
			assertThat(meter.tags()).doesNotHaveDuplicates().allSatisfy((tag) -> assertThat(tag).matches("[a-z_]+"));
		}
	}

	private static String row(LocketMeters meter) {
		String tags = meter.tags().stream().map((tag) -> "`" + tag + "`").collect(Collectors.joining(", "));
		return "| `%s` | %s | %s | %s |".formatted(meter.meterName(), meter.type().name().toLowerCase(Locale.ROOT),
				tags.isEmpty() ? "-" : tags, meter.description());
	}

}
