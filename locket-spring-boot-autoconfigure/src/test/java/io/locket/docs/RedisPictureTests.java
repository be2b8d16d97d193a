package io.locket.docs;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.TestJob;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the keys of a namespace in docs/how-a-job-lives.md. A namespace that was used
 * in every way has those keys, with those types.
 */
class RedisPictureTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Map<String, String> TYPES = Map.of("zset", "sorted set", "hash", "hash", "string", "string");

	private static final MermaidPicture PICTURE = MermaidPicture.of("how-a-job-lives.md", "flowchart");

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class))
		.withBean(Reports.class)
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + this.namespace, "locket.leader.enabled=false");

	private int requests;

	@Test
	void tablesHaveTheKeysOfThePicture() {
		assertThat(find("(?m)^\\| `([^`]+)` \\| (hash|string|sorted set) \\|", PICTURE.page())).isEqualTo(drawn());
	}

	@Test
	void usedNamespaceHasTheKeysOfThePicture() {
		this.application.withPropertyValues("locket.redis.wait-replicas=1")
			.run((context) -> assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> context.getBean(LeaseService.class).tryAcquire("replicated")));
		this.application.run((context) -> {
			try (Lease held = useLeases(context.getBean(LeaseService.class))) {
				useQueues(context.getBean(JobQueue.class), context.getBean(StringRedisTemplate.class));
				context.getBean(Schedules.class)
					.put(ScheduleRequest.every("hourly", HOUR, JobRequest.of("report", 42)));
				assertThat(held.isHeld()).isTrue();
				// A lease is in the index from its first renewal on.
				await().untilAsserted(() -> assertThat(found(context)).isEqualTo(drawn()));
			}
		});
	}

	private static Lease useLeases(LeaseService leases) {
		LeaseRequest request = LeaseRequest.of(leases.keyOf("held"));
		Lease held = leases.tryAcquire(request).orElseThrow();
		assertThat(leases.tryAcquire(request.waiting(Duration.ofMillis(10)))).isEmpty();
		return held;
	}

	private void useQueues(JobQueue queue, StringRedisTemplate redis) {
		JobKey unique = TestJob.key("unique");
		queue.enqueue(TestJob.of("later").in("later").after(HOUR).build());
		queue.enqueue(TestJob.of("ready").in("ready").with(LockStrategy.UNTIL_EXECUTED, unique).build());
		queue.enqueue(TestJob.of("replacing")
			.with(LockStrategy.UNTIL_EXECUTED, unique)
			.onDuplicate(DuplicateStrategy.REPLACE)
			.build());
		queue.enqueue(TestJob.of("claims").in("ready").with(LockStrategy.UNTIL_EXPIRED, "claims").build());
		for (String id : List.of("ended", "dead", "retry", "runs", "parks")) {
			queue.enqueue(TestJob.of(id).in("used").with(LockStrategy.WHILE_EXECUTING, id.substring(0, 1)).build());
		}
		queue.settle(List.of(RunEnd.succeeded(take(queue, "used")), RunEnd.dead(take(queue, "used"), "it broke"),
				RunEnd.retry(take(queue, "used"), HOUR, "it broke")), null);
		assertThat(take(queue, "used").record().id()).isEqualTo("runs");
		queue.enqueue(TestJob.of("waits").in("used").with(LockStrategy.WHILE_EXECUTING, "r").build());
		assertThat(take(queue, "used").record().id()).isEqualTo("parks");
		queue.reserve(request("used"));
		queue.enqueue(TestJob.of("stays").in("unknown").build());
		queue.reserve(request("unknown", "job"));
		queue.enqueue(TestJob.of("spoilt").in("spoilt").build());
		redis.opsForHash().put(prefix() + "jobs", "spoilt", "spoilt");
		queue.reserve(request("spoilt"));
		queue.countMinute();
	}

	private ReservedJob take(JobQueue queue, String name) {
		return queue.reserve(request(name)).jobs().get(0);
	}

	private ReservationRequest request(String queue, String... without) {
		return new ReservationRequest("r" + ++this.requests, "w", "host/1/w", "thread-w",
				List.of(new QueueLimit(queue, 0)), 1, Set.of(without));
	}

	private String prefix() {
		return "{" + this.namespace + "}:";
	}

	/**
	 * Returns the keys of the picture with their types.
	 */
	private static Map<String, String> drawn() {
		return find("\\[\"(\\S+(?: JOB| SEGMENT)?)<br/>([a-z ]+)\"]", String.join("\n", PICTURE.lines()));
	}

	private static Map<String, String> find(String pattern, String text) {
		Map<String, String> keys = new TreeMap<>();
		Pattern.compile(pattern).matcher(text).results().forEach((match) -> keys.put(match.group(1), match.group(2)));
		return keys;
	}

	/**
	 * Returns the keys of the namespace with their types. A key that the picture shows
	 * has the name in the picture.
	 */
	private Map<String, String> found(ApplicationContext context) {
		StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
		Map<String, String> found = new TreeMap<>();
		for (String key : redis.keys(prefix() + "*")) {
			String name = key.substring(prefix().length());
			String shown = patterns().entrySet()
				.stream()
				.filter((entry) -> entry.getValue().matcher(name).matches())
				.map(Map.Entry::getKey)
				.findFirst()
				.orElse(name);
			found.put(shown, TYPES.getOrDefault(redis.type(key).code(), "unknown"));
		}
		return found;
	}

	private static Map<String, Pattern> patterns() {
		Collection<String> names = drawn().keySet();
		Map<String, Pattern> patterns = new LinkedHashMap<>();
		names.forEach((name) -> patterns.put(name,
				Pattern.compile(name.replace("DIGEST", "[\\w-]{22}").replaceAll("QUEUE|JOB|SEGMENT|ID", "\\\\S+"))));
		return patterns;
	}

	static class Reports {

		@UniqueJob(name = "report")
		public void report(int number) {
		}

	}

}
