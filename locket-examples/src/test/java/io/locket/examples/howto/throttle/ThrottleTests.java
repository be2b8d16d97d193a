package io.locket.examples.howto.throttle;

import java.time.Duration;

import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/how-to/throttle-by-key.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class ThrottleTests {

	@Autowired
	private Reminding reminding;

	@Autowired
	private Reminders reminders;

	@Autowired
	private LocketTester locket;

	@BeforeEach
	void forget() {
		this.reminders.sent().clear();
	}

	@Test
	void secondReminderOfAnHourIsADuplicate() {
		assertThat(this.reminding.remind(42, "first")).isTrue();
		this.locket.drain();
		assertThat(this.reminding.remind(42, "second")).isFalse();
		assertThat(this.reminding.remind(43, "other")).isTrue();
		this.locket.advance(Duration.ofHours(1));
		assertThat(this.reminding.remind(42, "third")).isTrue();
		this.locket.drain();
		assertThat(this.reminders.sent()).containsExactlyInAnyOrder("42 first", "43 other", "42 third");
	}

	@Test
	void directCallCountsToo() {
		this.reminders.send(42, "called");
		this.reminders.send(42, "called again");
		assertThat(this.reminding.remind(42, "enqueued")).isFalse();
		assertThat(this.reminders.sent()).containsExactly("42 called");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Reminders.class, Reminding.class })
	static class Application {

	}

}
