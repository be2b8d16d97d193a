package io.locket.autoconfigure.diagnostics;

import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WrittenKeys}.
 */
class WrittenKeysTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void keyOfAnEnvironmentVariableIsThatOfAnotherSpelling() {
		write("locket.queues.high-priority.max-running", "locket.queues[eu:mail].max-running");
		this.environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("LOCKET_QUEUES_HIGHPRIORITY_MAXRUNNING", "1", "LOCKET_QUEUES_OTHER_MAXRUNNING", "1")));
		WrittenKeys keys = new WrittenKeys("locket.queues", this.environment);
		assertThat(keys.isOtherwiseWritten("highpriority")).isTrue();
		assertThat(keys.isOtherwiseWritten("high-priority")).isFalse();
		assertThat(keys.isOtherwiseWritten("other")).isFalse();
		assertThat(keys.isOtherwiseWritten("eumail")).isFalse();
		PropertyProblems problems = new PropertyProblems();
		keys.check(problems);
		problems.throwIfAny();
	}

	@Test
	void severalSpellingsAreAProblem() {
		write("locket.queues.high-priority.max-running", "locket.queues.highPriority.unique-for",
				"locket.queues[HighPriority].unique-for");
		PropertyProblems problems = new PropertyProblems();
		new WrittenKeys("locket.queues", this.environment).check(problems);
		assertThatExceptionOfType(InvalidLocketConfigurationException.class).isThrownBy(problems::throwIfAny)
			.withMessageContaining("high-priority")
			.withMessageContaining("highPriority")
			.withMessageNotContaining("HighPriority");
	}

	private void write(String... properties) {
		Map<String, Object> values = new LinkedHashMap<>();
		for (String property : properties) {
			values.put(property, "1");
		}
		this.environment.getPropertySources().addLast(new MapPropertySource("file", values));
	}

}
