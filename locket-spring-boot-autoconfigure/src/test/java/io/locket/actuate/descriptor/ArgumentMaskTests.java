package io.locket.actuate.descriptor;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.UniqueJobs;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArgumentMask}.
 */
class ArgumentMaskTests {

	private static final String MASK = "******";

	private static final String ERROR = "java.lang.IllegalStateException: no such\ncustomer";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				UniqueJobAutoConfiguration.class))
		.withBean(Billing.class)
		.withPropertyValues("locket.namespace=test");

	@Test
	void argumentsAreShownOnlyOfKnownJobsThatDoNotMaskThem() {
		this.runner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			ArgumentMask shown = new ArgumentMask(jobs, false, true);
			assertThat(shown.arguments("open", "[42,1.10,{\"a\":null}]"))
				.isEqualTo(List.of(42, new BigDecimal("1.10"), Collections.singletonMap("a", null)));
			assertThat(shown.arguments("open", "[42")).isEqualTo("[42");
			assertThat(shown.arguments("formerly", "[42]")).isEqualTo(List.of(42));
			assertThat(shown.arguments("masked", "[42]")).isEqualTo(MASK);
			assertThat(shown.arguments("unknown", "[42]")).isEqualTo(MASK);
			ArgumentMask hidden = new ArgumentMask(jobs, false, false);
			assertThat(List.of("open", "masked", "unknown"))
				.allMatch((job) -> MASK.equals(hidden.arguments(job, "[42]")));
		});
	}

	@Test
	void keyAndMessageAreShownUnlessTheJobMasksThem() {
		this.runner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			ArgumentMask shown = new ArgumentMask(jobs, false, true);
			for (String job : List.of("open", "unknown")) {
				assertThat(shown.key(job, "[42]")).isEqualTo("[42]");
				assertThat(shown.error(job, ERROR)).isEqualTo(ERROR);
			}
			assertThat(shown.key("masked", "[42]")).isEqualTo(MASK);
			assertThat(shown.message("open", "half")).isEqualTo("half");
			assertThat(shown.message("masked", "half")).isEqualTo(MASK);
			assertThat(shown.message("unknown", "half")).isEqualTo(MASK);
			assertThat(shown.message("unknown", null)).isNull();
			assertThat(shown.error("masked", ERROR)).isEqualTo("java.lang.IllegalStateException: " + MASK);
			ArgumentMask masked = new ArgumentMask(jobs, true, true);
			assertThat(masked.key("unknown", "[42]")).isEqualTo(MASK);
			assertThat(masked.key("open", "[42]")).isEqualTo("[42]");
			assertThat(masked.key(null, "[42]")).isEqualTo(MASK);
		});
	}

	@Test
	void errorKeepsItsTypeAndLosesItsMessageWhenItIsHidden() {
		this.runner.run((context) -> {
			ArgumentMask hidden = new ArgumentMask(context.getBean(UniqueJobs.class), false, false);
			Map<String, String> errors = Map.of(ERROR, "java.lang.IllegalStateException: " + MASK, "a.B$C: x: y",
					"a.B$C: " + MASK, "a.B", "a.B", "no type at all: x", MASK, "", MASK);
			errors.forEach((error, expected) -> assertThat(hidden.error("open", error)).isEqualTo(expected));
			assertThat(hidden.error("open", null)).isNull();
			assertThat(hidden.key("open", null)).isNull();
		});
	}

	@Test
	void stackTraceKeepsItsFramesAndLosesItsMessagesWhenItIsHidden() {
		this.runner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			String trace = "a.B: secret\n\tat a.B.c(B.java:1)\n\tSuppressed: a.C$D: secret\n\t\tat a.E.f(E.java:2)\n"
					+ "Caused by: a.F: at secret\n\t... 3 more\nCaused by: a.G\n...\nat secret\n...";
			assertThat(new ArgumentMask(jobs, false, true).stackTrace("open", trace)).isEqualTo(trace);
			assertThat(new ArgumentMask(jobs, false, true).stackTrace("masked", trace)).doesNotContain("secret");
			ArgumentMask hidden = new ArgumentMask(jobs, false, false);
			assertThat(hidden.stackTrace("open", trace))
				.isEqualTo("a.B: " + MASK + "\n\tat a.B.c(B.java:1)\n\tSuppressed: a.C$D: " + MASK
						+ "\n\t\tat a.E.f(E.java:2)\nCaused by: a.F: " + MASK + "\n\t... 3 more\nCaused by: a.G\n...\n"
						+ MASK + "\n...");
			assertThat(hidden.stackTrace("open", null)).isNull();
		});
	}

	static class Billing {

		@UniqueJob(name = "open", aliases = "formerly", lock = LockStrategy.NONE)
		public void open(int customer) {
			throw new AssertionError("Not called: " + customer);
		}

		@UniqueJob(name = "masked", maskArguments = "true", lock = LockStrategy.NONE)
		public void masked(int customer) {
			throw new AssertionError("Not called: " + customer);
		}

	}

}
