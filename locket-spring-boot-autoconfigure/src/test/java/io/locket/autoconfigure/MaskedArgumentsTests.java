package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.actuate.LocketEndpoint;
import io.locket.actuate.LocketEndpointJmxExtension;
import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.observation.LocketLoggingAutoConfiguration;
import io.locket.autoconfigure.observation.LocketObservationAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.autoconfigure.settings.SettingsAutoConfiguration;
import io.locket.event.JobEventListener;
import io.locket.job.EnqueueGuard;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.testing.RedisServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for masked arguments. A secret goes through calls, queues, failures, losses and
 * schedules. It must be in the stored arguments and progress only: in no log at any
 * level, exception of Locket, event, observation, response of the endpoint or other value
 * in Redis.
 */
class MaskedArgumentsTests {

	private static final String SECRET = "pass phrase 4711";

	private static final String PROGRESS = "half of " + SECRET;

	private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class, LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
				SettingsAutoConfiguration.class, ObservationAutoConfiguration.class,
				LocketObservationAutoConfiguration.class, LocketLoggingAutoConfiguration.class,
				LocketEndpointAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + this.namespace, "locket.mask-arguments=true",
				"locket.worker.queues=default", "spring.jmx.enabled=true",
				"management.endpoints.jmx.exposure.include=locket", "management.endpoint.locket.show-arguments=always")
		.withBean("vault", Vault.class)
		.withBean(JobEventListener.class, () -> (event) -> see("event", event.toString()))
		.withBean(ObservationHandler.class, Observations::new)
		.withBean(EnqueueGuard.class, () -> MaskedArgumentsTests::refusal);

	private static Optional<String> refusal(NewJob job) {
		if (job.job().equals("guarded")) {
			throw new IllegalStateException("not " + job.arguments());
		}
		return Optional.empty();
	}

	@Test
	void secretIsInStoredArgumentsAndProgressOnly() {
		Logger logger = (Logger) LoggerFactory.getLogger("io.locket");
		Level level = logger.getLevel();
		Messages messages = new Messages();
		messages.start();
		logger.addAppender(messages);
		logger.setLevel(Level.TRACE);
		logger.setAdditive(false);
		try {
			this.runner.run((context) -> {
				directCalls(context);
				refusedRequests(context);
				queuedRuns(context);
				schedules(context);
				read(context);
			});
		}
		finally {
			logger.setAdditive(true);
			logger.setLevel(level);
			logger.detachAppender(messages);
		}
		assertThat(this.seen).hasSizeGreaterThan(100)
			.anyMatch((text) -> text.startsWith("event"))
			.anyMatch((text) -> text.startsWith("observation"))
			.anyMatch((text) -> text.startsWith("log"))
			.anyMatch((text) -> text.startsWith("Redis"))
			.anyMatch((text) -> text.contains("[***]#"));
		assertThat(this.seen.stream().filter((text) -> text.contains(SECRET)).distinct()).isEmpty();
	}

	/**
	 * A call that is refused, one that waits in vain, and one that loses its lease.
	 */
	private void directCalls(ApplicationContext context) throws Exception {
		Vault vault = context.getBean(Vault.class);
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch lost = new CountDownLatch(1);
		CompletableFuture<Void> holder = CompletableFuture.runAsync(() -> vault.open(SECRET, () -> {
			JobContext.required().onLeaseLost(() -> {
				lost.countDown();
				throw new IllegalStateException("cannot stop " + SECRET);
			});
			started.countDown();
			awaitUninterruptibly(lost);
		}));
		assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
		see("exception", catchThrowable(() -> vault.open(SECRET, () -> {
		})));
		UniqueJobs jobs = context.getBean(UniqueJobs.class);
		see("blocker", jobs.blocker("open", SECRET, null).orElseThrow().toString());
		read(context);
		see("forced", jobs.forceRelease("open", SECRET, null).orElseThrow().toString());
		holder.get(30, TimeUnit.SECONDS);
		catchThrowable(() -> vault.open(SECRET, () -> {
			throw new IllegalStateException("cannot open " + SECRET);
		}));
		see("exception", catchThrowable(() -> vault.unlock(new Code(SECRET))));
	}

	private void refusedRequests(ApplicationContext context) {
		Jobs jobs = context.getBean(Jobs.class);
		EnqueueOptions later = EnqueueOptions.in(Duration.ofHours(1));
		jobs.enqueue(later, "unique", SECRET);
		see("exception", catchThrowable(() -> jobs.enqueue(later, "unique", SECRET)));
		see("exception", catchThrowable(() -> jobs.enqueue("typed", SECRET)));
		see("exception", catchThrowable(() -> jobs.enqueue("unlock", new Code(SECRET))));
		see("exception", catchThrowable(() -> jobs.enqueue("unique", SECRET, SECRET)));
		catchThrowable(() -> jobs.enqueue("guarded", SECRET));
	}

	/**
	 * Runs that fail, have unreadable arguments or exceed their timeout.
	 */
	private void queuedRuns(ApplicationContext context) {
		Jobs jobs = context.getBean(Jobs.class);
		JobAdministration administration = context.getBean(JobAdministration.class);
		jobs.enqueue(EnqueueOptions.now().id("failing"), "fail", SECRET);
		jobs.enqueue(EnqueueOptions.now().id("slow"), "sleep", SECRET);
		context.getBean(JobQueue.class)
			.enqueue(NewJob.builder("unreadable", "typed", "default").arguments("[\"" + SECRET + "\"]").build());
		for (String id : List.of("failing", "slow", "unreadable")) {
			await().atMost(Duration.ofSeconds(30))
				.until(() -> administration.find(id).orElseThrow().state() == JobState.DEAD);
			see("error", administration.find(id).orElseThrow().lastError());
		}
		administration.requeue("failing");
		administration.move("slow", "other");
		administration.cancel("failing");
	}

	private void schedules(ApplicationContext context) {
		Schedules schedules = context.getBean(Schedules.class);
		schedules
			.put(ScheduleRequest.every("nightly", Duration.ofHours(1), JobRequest.of("fail", new Object[] { SECRET })));
		schedules.triggerNow("nightly");
		see("exception", catchThrowable(() -> schedules.put(
				ScheduleRequest.every("wrong", Duration.ofHours(1), JobRequest.of("typed", new Object[] { SECRET })))));
	}

	/**
	 * Reads the responses of the endpoint, and all that Redis has but arguments and
	 * progress.
	 */
	private void read(ApplicationContext context) {
		JsonMapper json = JsonMapper.builder().build();
		LocketEndpointJmxExtension endpoint = context.getBean(LocketEndpointJmxExtension.class);
		List<Object> responses = new ArrayList<>(List.of(context.getBean(LocketEndpoint.class).overview(),
				endpoint.queues(), endpoint.jobs(null, null, null, null, null, null), endpoint.leases(null),
				endpoint.schedules(), endpoint.workers()));
		context.getBean(JobAdministration.class)
			.stream(JobFilter.all())
			.forEach((job) -> responses.add(endpoint.job(job.id())));
		responses.forEach((response) -> see("endpoint", json.writeValueAsString(response)));
		StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
		for (String key : redis.keys("*" + this.namespace + "*")) {
			switch (redis.type(key)) {
				case STRING -> see("Redis " + key, redis.opsForValue().get(key));
				case HASH -> redis.opsForHash()
					.entries(key)
					.forEach((field, value) -> see("Redis " + key, field + " " + withoutArguments(key, value)));
				case ZSET -> see("Redis " + key, redis.opsForZSet().range(key, 0, -1).toString());
				default -> see("Redis " + key, redis.type(key).toString());
			}
		}
	}

	private static String withoutArguments(String key, Object value) {
		String text = value.toString();
		if (!key.endsWith(":jobs") && !key.endsWith(":schedules")) {
			return text;
		}
		return text.replaceFirst("\\[.{0,2}" + SECRET + ".{0,2}]", "").replace(PROGRESS, "");
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void see(String where, Throwable failure) {
		assertThat(failure).isNotNull();
		see(where, Throwables.getStackTrace(failure));
	}

	private void see(String where, String text) {
		this.seen.add(where + ": " + text);
	}

	static class Vault {

		@UniqueJob(name = "open", key = "{#secret}", onConflict = ConflictStrategy.RAISE)
		public void open(String secret, Runnable body) {
			body.run();
		}

		@UniqueJob(name = "unlock", key = "{#code.number()}", onConflict = ConflictStrategy.WAIT, waitFor = "1s")
		public void unlock(Code code) {
		}

		@UniqueJob(name = "unique", lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE)
		public void unique(String secret) {
		}

		@UniqueJob(name = "guarded")
		public void guarded(String secret) {
		}

		@UniqueJob(name = "typed")
		public void typed(int number) {
		}

		@UniqueJob(name = "fail", retries = "1", backoff = "10ms")
		public void fail(String secret) {
			JobContext.required().progress(1, 2, PROGRESS);
			throw new IllegalStateException("no " + secret, new IllegalArgumentException("cause " + secret));
		}

		@UniqueJob(name = "sleep", retries = "0", timeout = "50ms")
		public void sleep(String secret) {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("interrupted " + secret, ex);
			}
		}

	}

	/**
	 * Argument whose part of the key cannot be computed.
	 */
	record Code(String digits) {

		public int number() {
			throw new IllegalStateException("no number: " + this.digits);
		}

	}

	private final class Messages extends AppenderBase<ILoggingEvent> {

		@Override
		protected void append(ILoggingEvent event) {
			String trace = (event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy())
					: "";
			see("log", event.getLoggerName() + " " + event.getFormattedMessage() + " " + event.getMDCPropertyMap() + " "
					+ trace);
		}

	}

	private final class Observations implements ObservationHandler<Observation.Context> {

		@Override
		public void onStop(Observation.Context context) {
			see("observation", context.getName() + " " + context.getContextualName() + context.getAllKeyValues());
			if (context.getError() != null) {
				see("observation", context.getError());
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
