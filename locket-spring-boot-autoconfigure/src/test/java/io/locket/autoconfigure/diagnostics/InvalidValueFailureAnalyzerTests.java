package io.locket.autoconfigure.diagnostics;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link InvalidValueFailureAnalyzer}.
 */
class InvalidValueFailureAnalyzerTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					job.lock: until                  | is not one of its values.    | Write until-executing, while-executing, until-executed, until-and-while-executing, until-expired, none.
					queues.mail.on-conflict: default | is not one of its values.    | Write park, reject, raise, reschedule, wait.
					schedules.a.misfire: sometimes   | is not one of its values.    | Write skip, latest, all.
					lease.duration: 35 secs          | is not a duration.           | Write a number with a unit, such as 500ms, 35s, 5m, 1h or 30d.
					schedules.a.every: soon          | is not a duration.           | Write a number with a unit, such as 500ms, 35s, 5m, 1h or 30d.
					queue.max-payload: 1 MB x        | is not a size.               | Write a number with a unit, such as 256KB.
					mask-arguments: maybe            | is neither true nor false.   | Write true or false.
					worker.concurrency: many         | is not a whole number.       | Write a number such as 5.
					retry.max: 99999999999           | is not a whole number.       | Write a number such as 5.
					retry.backoff.jitter: 10%        | is not a number.             | Write a number such as 0.5.
					schedules: nightly               | has a value, but it is the parent of other properties. | Write the properties below it, as listed in docs/configuration.md.
					""")
	void valueOfTheWrongTypeIsNamedWithItsPlaceAndWhatToWrite(String property, String problem, String advice) {
		String name = "locket." + property.substring(0, property.indexOf(':'));
		String value = property.substring(property.indexOf(':') + 2);
		FailureAnalysis analysis = FailedStart.of("locket." + property);
		assertThat(analysis.getDescription())
			.endsWith("- " + name + "='" + value + "' (Byte array resource [application.yml] - 1:" + (name.length() + 3)
					+ ") " + problem)
			.doesNotContain("io.locket", "java.");
		assertThat(analysis.getAction()).endsWith("- " + name + ": " + advice);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			locket.lease: 35s      | locket.lease (Byte array resource [application.yml] - 1:15)
			locket.queues: [mail]  | locket.queues[0] (Byte array resource [application.yml] - 1:17)
			""")
	void valueOfAGroupOfPropertiesIsNamed(String yaml, String subject) {
		assertThat(FailedStart.of(yaml).getDescription())
			.endsWith("- " + subject + " has a value, but it is the parent of other properties.");
	}

	@Test
	void failuresOfOtherPropertiesAndOtherFailuresAreLeftToSpringBoot() {
		InvalidValueFailureAnalyzer analyzer = new InvalidValueFailureAnalyzer(new MockEnvironment());
		assertThat(analyzer.analyze(failure("locket.retry.max"))).isNotNull();
		assertThat(analyzer.analyze(failure("app.timeout"))).isNull();
		assertThat(analyzer.analyze(catchThrowable(() -> binder("locket.retry.max").bind("locket.retry", Picky.class))))
			.isNull();
	}

	private static Throwable failure(String property) {
		return catchThrowable(() -> binder(property).bind(property, Integer.class));
	}

	private static Binder binder(String property) {
		return new Binder(new MapConfigurationPropertySource(Map.of(property, "many")));
	}

	/**
	 * Properties whose setter fails.
	 */
	public static final class Picky {

		public void setMax(String max) {
			throw new IllegalArgumentException(max);
		}

	}

}
