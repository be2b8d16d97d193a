package io.locket.job;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

import io.locket.JobKey;
import io.locket.JobKeyException;
import io.locket.LeaseKind;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.key.JobKeyGenerator;
import io.locket.lease.Lease;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link UniqueJobs}.
 */
@SuppressWarnings("try")
class UniqueJobsTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean("jobs", Jobs.class)
		.withBean("constant", JobKeyGenerator.class, () -> (call) -> "constant",
				(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false));

	@Test
	void exclusiveIsWhatGuardsDirectCalls() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.isExclusive("jobs.bill")).isTrue();
			assertThat(jobs.isExclusive("jobs.daily")).isTrue();
			assertThat(jobs.isExclusive("jobs.ordinary")).isFalse();
		});
	}

	@Test
	void digestIsThatOfTheCanonicalKey() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			String text = jobs.canonicalKey("jobs.bill", 42L, "may");
			assertThat(text).isEqualTo("[\"jobs.bill\",[42,\"may\"]]");
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			JobKey key = jobs.keyOf("jobs.bill", 42L, "may");
			assertThat(key.digest())
				.isEqualTo(Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16)));
		});
	}

	@Test
	void keyIsThatOfTheCall() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			context.getBean(Jobs.class).bill(42, "may");
			context.getBean(Jobs.class).generated(42);
			assertThat(GuardedContext.leases(context).requests()).extracting((request) -> request.key().digest())
				.containsExactly(jobs.keyOf("jobs.bill", 42L, "may").digest(),
						jobs.keyOf("jobs.generated", 7).digest());
		});
	}

	@Test
	void availabilityTakesAndFreesNothing() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.isAvailable("jobs.bill", 42L, "may")).isTrue();
			assertThat(jobs.isAvailable("jobs.bill", 42L, "may")).isTrue();
			try (Lease other = GuardedContext.take(context, "jobs.bill", 42L, "may")) {
				assertThat(jobs.isAvailable("jobs.bill", 42L, "may")).isFalse();
				assertThat(jobs.isAvailable("jobs.bill", 42L, "june")).isTrue();
			}
			assertThat(jobs.isAvailable("jobs.bill", 42L, "may")).isTrue();
			assertThat(jobs.isAvailable("jobs.ordinary")).isTrue();
		});
	}

	@Test
	void jobInAnotherQueueHasThePolicyOfThatQueue() {
		this.contextRunner
			.withPropertyValues("locket.queues.strict.lock=until-executed", "locket.queues.free.lock=none")
			.run((context) -> {
				UniqueJobs jobs = context.getBean(UniqueJobs.class);
				assertThat(jobs.job("jobs.bill").lock()).isEqualTo(LockStrategy.WHILE_EXECUTING);
				assertThat(jobs.inQueue("strict").job("jobs.bill").lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(jobs.inQueue("strict").known("jobs.bill").orElseThrow().lock())
					.isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(jobs.inQueue("free").job("jobs.bill").lock()).isEqualTo(LockStrategy.NONE);
				assertThat(jobs.inQueue("free").isExclusive("jobs.bill")).isFalse();
				assertThat(jobs.inQueue("strict").isExclusive("jobs.bill")).isTrue();
				assertThat(jobs.inQueue("free").isExclusive("jobs.daily")).isTrue();
				assertThatExceptionOfType(JobKeyException.class)
					.isThrownBy(() -> jobs.inQueue("free").keyOf("jobs.bill", 42L, "may"));
			});
	}

	@Test
	void jobWithoutALockHasNoKey() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> jobs.keyOf("jobs.ordinary"))
				.withMessageContaining("jobs.ordinary")
				.withMessageContaining("NONE");
			assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> jobs.canonicalKey("jobs.ordinary"));
		});
	}

	@Test
	void holderIsEvictedByForce() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.forceRelease("jobs.bill", 42L, "may")).isEmpty();
			Lease other = GuardedContext.take(context, "jobs.bill", 42L, "may");
			assertThat(jobs.forceRelease("jobs.bill", 42L, "may")).isPresent();
			assertThat(other.isHeld()).isFalse();
			context.getBean(Jobs.class).daily();
			assertThat(jobs.isAvailable("jobs.daily")).isFalse();
			assertThat(jobs.forceRelease(Jobs.class, Jobs::daily))
				.hasValueSatisfying((claim) -> assertThat(claim.kind()).isEqualTo(LeaseKind.CLAIM));
			assertThat(jobs.isAvailable("jobs.daily")).isTrue();
		});
	}

	@Test
	void unknownJobIsAnErrorThatListsKnownOnes() {
		this.contextRunner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(UniqueJobs.class).isExclusive("jobs.bil"))
			.withMessage("There is no job 'jobs.bil'. Known jobs are [jobs.bill, jobs.daily, jobs.generated,"
					+ " jobs.ordinary, jobs.typed]. A job of an interface is known after a first call by its type:"
					+ " enqueue(Type.class, (job) -> ...)"));
	}

	@Test
	void wrongArgumentsAreAnErrorThatNamesThem() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.keyOf("jobs.bill", 42L))
				.withMessage("Job 'jobs.bill' takes 2 argument(s) (long customer, String period), but there are 1");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.keyOf("jobs.bill", "secret", "may"))
				.withMessage(
						"Job 'jobs.bill': Argument 1 (long customer) of UniqueJobsTests.Jobs.bill cannot be converted"
								+ " from a java.lang.String: the value does not fit the type long. Pass a value of its type,"
								+ " or the text that stands for it in JSON");
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.keyOf("jobs.bill", null, "may"))
				.withMessage("Job 'jobs.bill': Argument 1 (long customer) of UniqueJobsTests.Jobs.bill is null."
						+ " Pass a value, or declare the parameter as Long");
		});
	}

	@Test
	void argumentsAreConvertedBeforeTheKeyIsMade() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.isAvailable("jobs.bill", 42, "may")).isTrue();
			assertThat(jobs.keyOf("jobs.bill", 42, "may")).isEqualTo(jobs.keyOf("jobs.bill", 42L, "may"));
			assertThat(jobs.canonicalKey("jobs.bill", (short) 42, "may")).isEqualTo("[\"jobs.bill\",[42,\"may\"]]");
			assertThat(jobs.keyOf("jobs.bill", "42", "may")).isEqualTo(jobs.keyOf("jobs.bill", 42L, "may"));
			assertThat(jobs.canonicalKey("jobs.typed", 42)).isEqualTo("[\"jobs.typed\",\"java.lang.Long\"]");
			try (Lease other = GuardedContext.take(context, "jobs.bill", 42, "may")) {
				assertThat(jobs.isAvailable("jobs.bill", 42, "may")).isFalse();
			}
		});
	}

	@Test
	void numbersWithAFractionDoNotBecomeWholeOnes() {
		this.contextRunner.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.keyOf("jobs.bill", 42.5, "may"))
				.withMessageContaining("Argument 1 (long customer)");
		});
	}

	@Test
	void namedGeneratorMakesTheKeyOfTheArguments() {
		this.contextRunner.withBean("mailboxes", Mailboxes.class)
			.withBean("mailboxKey", JobKeyGenerator.class,
					() -> (call) -> String.valueOf(call.arguments().get(0)).strip().toLowerCase(Locale.ROOT),
					(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
			.run((context) -> {
				UniqueJobs jobs = context.getBean(UniqueJobs.class);
				assertThat(jobs.canonicalKey("mailboxes.fetch", " Info@a "))
					.isEqualTo("[\"mailboxes.fetch\",\"info@a\"]");
				assertThat(jobs.canonicalKey("jobs.bill", 42, "may")).isEqualTo("[\"jobs.bill\",[42,\"may\"]]");
			});
	}

	@Test
	void singleGeneratorBeanReplacesTheDefault() {
		this.contextRunner.withBean("mine", JobKeyGenerator.class, () -> (call) -> call.method().getName())
			.run((context) -> assertThat(context.getBean(UniqueJobs.class).canonicalKey("jobs.bill", 1L, "may"))
				.isEqualTo("[\"jobs.bill\",\"bill\"]"));
	}

	@Test
	void emptyKeyIsRefused() {
		this.contextRunner.withBean("mine", JobKeyGenerator.class, () -> (call) -> "")
			.run((context) -> assertThatExceptionOfType(JobKeyException.class)
				.isThrownBy(() -> context.getBean(UniqueJobs.class).keyOf("jobs.bill", 1L, "may")));
	}

	static class Jobs {

		@UniqueJob
		public void bill(long customer, String period) {
		}

		@UniqueJob(key = "#id.getClass().getName()")
		public void typed(long id) {
		}

		@UniqueJob(keyGenerator = "constant")
		public void generated(int id) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1d")
		public void daily() {
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void ordinary() {
		}

	}

	static class Mailboxes {

		@UniqueJob(keyGenerator = "mailboxKey")
		public void fetch(String mailbox) {
		}

	}

}
