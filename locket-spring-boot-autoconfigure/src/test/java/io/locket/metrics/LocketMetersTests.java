package io.locket.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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

	private static String row(LocketMeters meter) {
		String tags = meter.tags().stream().map((tag) -> "`" + tag + "`").collect(Collectors.joining(", "));
		return "| `%s` | %s | %s | %s |".formatted(meter.meterName(), meter.type().name().toLowerCase(Locale.ROOT),
				tags.isEmpty() ? "-" : tags, meter.description());
	}

}
