package io.locket.testing;

import java.time.Duration;
import java.util.Scanner;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ChildJvm}.
 */
class ChildJvmTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	@Test
	void childRepliesLineByLineAndEndsByItself() {
		try (ChildJvm child = ChildJvm.start(Echo.class, "a", "b c")) {
			assertThat(child.awaitLine("ready", TIMEOUT)).isEqualTo("ready a,b c");
			child.send("first");
			child.send("second");
			assertThat(child.awaitLine("echo second", TIMEOUT)).isEqualTo("echo second");
			assertThat(child.awaitLine("echo", TIMEOUT)).isEqualTo("echo first");
			child.send("exit");
			assertThat(child.awaitExit(TIMEOUT)).isEqualTo(3);
		}
	}

	@Test
	void stoppedChildRepliesWhenItGoesOn() {
		try (ChildJvm child = ChildJvm.start(Echo.class)) {
			child.awaitLine("ready", TIMEOUT);
			child.stop();
			child.send("hello");
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> child.awaitLine("echo", Duration.ofMillis(300)))
				.withMessageContaining("No line 'echo'")
				.withMessageContaining("ready");
			child.cont();
			assertThat(child.awaitLine("echo", TIMEOUT)).isEqualTo("echo hello");
		}
	}

	@Test
	void killedChildHasEnded() {
		try (ChildJvm child = ChildJvm.start(Echo.class)) {
			child.awaitLine("ready", TIMEOUT);
			assertThat(child.isAlive()).isTrue();
			child.kill();
			assertThat(child.isAlive()).isFalse();
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> child.awaitLine("echo", TIMEOUT));
		}
	}

	@Test
	void childSeesTheClassPathOfTheTests() {
		try (ChildJvm child = ChildJvm.start(Echo.class)) {
			child.awaitLine("ready", TIMEOUT);
			child.send("class org.springframework.boot.SpringApplication");
			assertThat(child.awaitLine("loaded", TIMEOUT)).endsWith("SpringApplication");
		}
	}

	/**
	 * Program that prints its input.
	 */
	static final class Echo {

		private Echo() {
		}

		static void main(String[] args) throws ClassNotFoundException {
			System.out.println("ready " + String.join(",", args));
			Scanner lines = new Scanner(System.in);
			while (lines.hasNextLine()) {
				String line = lines.nextLine();
				if (line.equals("exit")) {
					System.exit(3);
				}
				if (line.startsWith("class ")) {
					System.out.println("loaded " + Class.forName(line.substring(6)).getName());
				}
				System.out.println("echo " + line);
			}
		}

	}

}
