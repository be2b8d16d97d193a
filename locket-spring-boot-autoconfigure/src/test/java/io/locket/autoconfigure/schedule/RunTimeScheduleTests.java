package io.locket.autoconfigure.schedule;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.locket.JobKeyException;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.queue.PayloadTooLargeException;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.Schedules;
import io.locket.testing.RedisServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for schedules that are created at run time, on Redis.
 */
class RunTimeScheduleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class))
		.withBean(Reports.class)
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + this.namespace, "locket.leader.enabled=false",
				"locket.queue.max-payload=40B");

	private static Stream<Bad> badRequests() {
		JobRequest job = JobRequest.of("report", 42);
		return Stream.of(bad("is not a valid schedule name", () -> ScheduleRequest.every("a b", HOUR, job)),
				bad("is not a valid schedule name", () -> ScheduleRequest.every("", HOUR, job)),
				bad("'30 3 * * *' of schedule 'a' has 5 fields, but needs seconds as the first one: '0 30 3 * * *'",
						() -> ScheduleRequest.cron("a", "30 3 * * *", job)),
				bad("'often' of schedule 'a' does not parse", () -> ScheduleRequest.cron("a", "often", job)),
				bad("'0 0 0 30 2 *' of schedule 'a' never fires. Write six fields",
						() -> ScheduleRequest.cron("a", "0 0 0 30 2 *", job)),
				bad("between 1 s and 36500 days", () -> ScheduleRequest.every("a", Duration.ofMillis(999), job)),
				bad("between 1 s and 36500 days", () -> ScheduleRequest.every("a", Duration.ofDays(36501), job)),
				bad("catch up on 0 s to 36500 days",
						() -> ScheduleRequest.every("a", HOUR, job).catchUp(Duration.ofMillis(-1))),
				bad("has a time zone beside an interval",
						() -> ScheduleRequest.every("a", HOUR, job).zone(ZoneOffset.UTC)),
				bad("Schedule 'a' cannot be put. There is no job 'nobody'. Known jobs are [fragile, report]",
						() -> ScheduleRequest.every("a", HOUR, JobRequest.of("nobody"))),
				bad("takes 1 argument(s) (int number), but there are 0",
						() -> ScheduleRequest.every("a", HOUR, JobRequest.of("report"))),
				bad("cannot be converted from a java.lang.String",
						() -> ScheduleRequest.every("a", HOUR, JobRequest.of("report", "x"))),
				bad("cannot be converted from a java.lang.Object",
						() -> ScheduleRequest.every("a", HOUR, JobRequest.of("report", new Object()))),
				bad("remove the due time and the id",
						() -> ScheduleRequest.every("a", HOUR, job.with(EnqueueOptions.now().id("mine")))),
				bad("remove the due time and the id",
						() -> ScheduleRequest.every("a", HOUR, job.with(EnqueueOptions.in(HOUR)))));
	}

	private static Bad bad(String message, Supplier<ScheduleRequest> request) {
		return new Bad(message, request);
	}

	@Test
	void requestThatCannotWorkIsRefusedAndNothingIsStored() {
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			ScheduleRequest good = ScheduleRequest.every("good", HOUR, JobRequest.of("report", 1));
			schedules.put(ScheduleRequest.every("there", HOUR, JobRequest.of("report", 1)));
			long revision = context.getBean(ScheduleStore.class).revision();
			badRequests().forEach((bad) -> {
				Supplier<ScheduleRequest> request = bad.request();
				assertThatIllegalArgumentException().isThrownBy(() -> schedules.put(request.get()))
					.withMessageContaining(bad.message());
				assertThatIllegalArgumentException()
					.isThrownBy(() -> schedules.put(request.get().untilThisProcessEnds()))
					.withMessageContaining(bad.message());
				assertThatIllegalArgumentException()
					.isThrownBy(() -> schedules.replaceAll(List.of(good, request.get())))
					.withMessageContaining(bad.message());
			});
			assertThat(names(schedules)).containsExactly("there");
			assertThat(context.getBean(ScheduleStore.class).revision()).isEqualTo(revision);
		});
	}

	@Test
	void nullIsNamed() {
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			assertNullIsNamed("name", () -> schedules.get(null));
			assertNullIsNamed("name", () -> schedules.remove(null));
			assertNullIsNamed("name", () -> schedules.pause(null));
			assertNullIsNamed("name", () -> schedules.resume(null));
			assertNullIsNamed("name", () -> schedules.triggerNow(null));
			assertNullIsNamed("request", () -> schedules.put(null));
			assertNullIsNamed("requests", () -> schedules.replaceAll(null));
		});
	}

	private static void assertNullIsNamed(String parameter, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call).withMessage("'" + parameter + "' must not be null");
	}

	@Test
	void argumentsThatCannotBeQueuedAreRefusedAndNothingIsStored() {
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			assertThatExceptionOfType(PayloadTooLargeException.class).isThrownBy(
					() -> schedules.put(ScheduleRequest.every("a", HOUR, JobRequest.of("fragile", "x".repeat(50)))));
			assertThatExceptionOfType(JobKeyException.class)
				.isThrownBy(() -> schedules.put(ScheduleRequest.every("a", HOUR, JobRequest.of("fragile", "no key"))));
			assertThat(schedules.list()).isEmpty();
		});
	}

	@Test
	void replaceAllTakesNoTwoOfANameAndNoneThatEndsWithTheProcess() {
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			ScheduleRequest request = ScheduleRequest.every("a", HOUR, JobRequest.of("report", 1));
			assertThatIllegalArgumentException().isThrownBy(() -> schedules.replaceAll(List.of(request, request)))
				.withMessageContaining("same name");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> schedules.replaceAll(List.of(request.untilThisProcessEnds())));
			assertThat(schedules.list()).isEmpty();
		});
	}

	@Test
	void callsWithAnUnknownNameReportIt() {
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			assertThat(schedules.remove("a")).isFalse();
			assertThat(schedules.pause("a")).isFalse();
			assertThat(schedules.resume("a")).isFalse();
			assertThat(schedules.get("a")).isEmpty();
			assertThatIllegalArgumentException().isThrownBy(() -> schedules.triggerNow("a"))
				.withMessage("There is no schedule 'a'");
		});
	}

	@Test
	void scheduleOfAProcessEndsWithItAndAnotherProcessMayRemoveIt() {
		ScheduleRequest request = ScheduleRequest.every("a", HOUR, JobRequest.of("report", 1)).untilThisProcessEnds();
		this.runner.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			this.runner.run((other) -> {
				other.getBean(Schedules.class).put(request);
				assertThat(names(schedules)).containsExactly("a");
				assertThat(schedules.remove("a")).isTrue();
				assertThat(names(other.getBean(Schedules.class))).isEmpty();
				other.getBean(Schedules.class).put(request);
				assertThat(names(schedules)).containsExactly("a");
			});
			assertThat(names(schedules)).isEmpty();
		});
	}

	@Test
	void scheduleOfAProcessComesBackAfterRedisHasForgottenEverything() {
		this.runner
			.withPropertyValues("locket.redis.command-timeout=1s", "locket.lease.duration=3s",
					"locket.lease.heartbeat=100ms")
			.run((context) -> {
				Schedules schedules = context.getBean(Schedules.class);
				schedules.put(ScheduleRequest.every("a", HOUR, JobRequest.of("report", 1)).untilThisProcessEnds());
				RedisServer.shared().execute("EVAL", """
						for _, name in ipairs(redis.call('KEYS', ARGV[1])) do
						  redis.call('DEL', name)
						end
						""", "0", "{" + this.namespace + "}:*");
				await().until(() -> names(schedules), List.of("a")::equals);
			});
	}

	@Test
	void processThatStopsTakesNoScheduleOfItsOwn() {
		Schedules[] stopped = new Schedules[1];
		this.runner.run((context) -> stopped[0] = context.getBean(Schedules.class));
		assertThatIllegalStateException()
			.isThrownBy(() -> stopped[0]
				.put(ScheduleRequest.every("a", HOUR, JobRequest.of("report", 1)).untilThisProcessEnds()))
			.withMessageContaining("This process stops");
	}

	private static List<String> names(Schedules schedules) {
		return schedules.list().stream().map(ScheduleStatus::name).toList();
	}

	private record Bad(String message, Supplier<ScheduleRequest> request) {

	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write(int number) {
			throw new IllegalStateException("Report without a worker " + number);
		}

		@UniqueJob(name = "fragile", key = "#text.substring(9)")
		public void fragile(String text) {
			throw new IllegalStateException("Report without a worker " + text);
		}

	}

}
