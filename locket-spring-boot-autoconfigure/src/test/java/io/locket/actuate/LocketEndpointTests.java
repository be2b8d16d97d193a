package io.locket.actuate;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.jayway.jsonpath.JsonPath;
import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.autoconfigure.settings.SettingsAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.settings.EffectiveSettings;
import io.locket.testing.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.actuate.autoconfigure.audit.AuditAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.json.JsonContent;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LocketEndpoint} on the web and on Redis, with Spring Security. All
 * authenticated users may read. Operators see arguments and may write. The responses do
 * not depend on the JSON configuration of the application.
 */
@SpringBootTest(properties = { "locket.worker.queues=work", "locket.worker.poll-interval=1s",
		"management.endpoints.web.exposure.include=locket", "management.endpoint.locket.access=unrestricted",
		"management.endpoint.locket.show-arguments=when-authorized", "management.endpoint.locket.roles=OPERATOR",
		"spring.main.banner-mode=off", "spring.jackson.property-naming-strategy=SNAKE_CASE" })
@AutoConfigureMockMvc
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class LocketEndpointTests {

	private static final String MASK = "******";

	private static final String UNKNOWN = "f".repeat(22);

	private static final RequestPostProcessor USER = SecurityMockMvcRequestPostProcessors.user("user").roles("USER");

	private static final RequestPostProcessor OPERATOR = SecurityMockMvcRequestPostProcessors.user("operator")
		.roles("OPERATOR");

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private ApplicationContext context;

	@Autowired
	private Jobs jobs;

	@Autowired
	private JobAdministration administration;

	@Autowired
	private Schedules schedules;

	@Autowired
	private LeaseService leases;

	@Autowired
	private Leadership leadership;

	@Autowired
	private AuditEventRepository audits;

	@Autowired
	private Billing billing;

	private String waiting = "";

	private String secret = "";

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		for (String property : RedisServer.shared().properties()) {
			String[] parts = property.split("=", 2);
			registry.add(parts[0], () -> parts[1]);
		}
		String namespace = RedisServer.newNamespace();
		registry.add("locket.namespace", () -> namespace);
	}

	@BeforeAll
	void enqueue() {
		this.waiting = accepted(this.jobs.enqueue("bill", 42, "northern"));
		this.secret = accepted(this.jobs.enqueue("secret", "hush"));
		this.schedules.put(ScheduleRequest.every("nightly", Duration.ofHours(1), JobRequest.of("bill", 7, "x"))
			.description("What was billed"));
	}

	@Test
	void anonymousGetsNothing() {
		for (String path : List.of("", "/queues", "/jobs/" + this.waiting)) {
			assertThat(this.mvc.get().uri("/actuator/locket" + path)).hasStatus(401);
		}
		assertThat(this.mvc.post().uri("/actuator/locket/queues/bills/pause").contentType(MediaType.APPLICATION_JSON))
			.hasStatus(401);
		assertThat(this.mvc.delete().uri("/actuator/locket/queues/bills")).hasStatus(401);
		assertThat(this.administration.counts("bills").paused()).isFalse();
	}

	@Test
	void userDoesNotWrite() {
		MvcTestResult result = this.mvc.post()
			.uri("/actuator/locket/queues/bills/pause")
			.contentType(MediaType.APPLICATION_JSON)
			.with(USER)
			.exchange();
		assertThat(result).hasStatus(403);
		assertThat(this.administration.counts("bills").paused()).isFalse();
	}

	@Test
	void overviewSummarizesAllParts() {
		await().until(this.leadership::isLeader);
		JsonContent body = user("");
		assertThat(body).extractingPath("$.namespace").asString().startsWith("test-");
		assertThat(body).extractingPath("$.instance").isEqualTo(this.leadership.leader().orElseThrow().instance());
		assertThat(body).extractingPath("$.time").asString().endsWith("Z");
		assertThat(body).extractingPath("$.totals.queues").asNumber().isNotEqualTo(0);
		assertThat(body).extractingPath("$.queues[?(@.queue == 'bills')].paused").asArray().containsExactly(false);
		assertThat(body).extractingPath("$.leader.thisInstance").isEqualTo(true);
		assertThat(body).extractingPath("$.leader.term").isEqualTo(this.leadership.term());
		assertThat(body).extractingPath("$.sections")
			.asArray()
			.containsExactly("queues", "jobs", "leases", "schedules", "workers", "leader", "settings", "violations",
					"throughput", "summary");
	}

	@Test
	void queuesAreListedWithTheirCounts() {
		JsonContent body = user("/queues");
		String bills = "$.queues[?(@.queue == 'bills')]";
		assertThat(body).extractingPath(bills + ".ready").asArray().containsExactly(2);
		assertThat(body).extractingPath(bills + ".accepted").asArray().containsExactly(2);
		assertThat(body).extractingPath(bills + ".ended.SUCCEEDED").asArray().containsExactly(0);
		assertThat(body).extractingPath(bills + ".oldestWaitingMs").asArray().hasSize(1);
	}

	@Test
	void queueHasItsJobsAPageAtATime() {
		JsonContent first = user("/queues/bills?limit=1&state=ready");
		assertThat(first).extractingPath("$.queue.queue").isEqualTo("bills");
		assertThat(first).extractingPath("$.jobs[*].id").asArray().containsExactly(this.waiting);
		JsonContent second = user("/queues/bills?limit=1&state=ready&cursor=" + text(first, "$.cursor"));
		assertThat(second).extractingPath("$.jobs[*].id").asArray().containsExactly(this.secret);
	}

	@Test
	void argumentsAreHiddenFromWhomHasNotTheRole() {
		JsonContent job = user("/jobs/" + this.waiting);
		assertThat(job).extractingPath("$.arguments").isEqualTo(MASK);
		assertThat(job).extractingPath("$.key.text").isEqualTo(MASK);
		assertThat(job).extractingPath("$.key.digest").asString().hasSize(22);
		assertThat(job).extractingPath("$.state").isEqualTo("READY");
		assertThat(job).extractingPath("$.enqueuedAt").asString().endsWith("Z");
		assertThat(job).doesNotHavePath("$.startedAt");
		for (String path : List.of("/jobs", "/queues/bills", "/schedules", "/schedules/nightly")) {
			assertThat(json(get(path, USER))).as(path).contains(MASK).doesNotContain("northern", "hush", "[7");
		}
	}

	@Test
	void argumentsAreShownToWhomHasTheRoleUnlessTheJobMasksThem() {
		JsonContent job = operator("/jobs/" + this.waiting);
		assertThat(job).extractingPath("$.arguments").asArray().containsExactly(42, "northern");
		assertThat(job).extractingPath("$.key.text").asString().contains("42");
		assertThat(operator("/schedules/nightly")).extractingPath("$.arguments").asArray().containsExactly(7, "x");
		JsonContent masked = operator("/jobs/" + this.secret);
		assertThat(masked).extractingPath("$.arguments").isEqualTo(MASK);
		assertThat(masked).extractingPath("$.key.text").isEqualTo(MASK);
		assertThat(json(get("/jobs?queue=bills", OPERATOR))).contains("northern").doesNotContain("hush");
	}

	@Test
	void messageOfAnErrorIsHiddenAsArgumentsAre() {
		String dead = dead();
		assertThat(user("/jobs/" + dead)).extractingPath("$.lastError")
			.isEqualTo("java.lang.IllegalStateException: " + MASK);
		JsonContent shown = operator("/jobs/" + dead);
		assertThat(shown).extractingPath("$.lastError")
			.asString()
			.startsWith("java.lang.IllegalStateException: broken");
		assertThat(shown).extractingPath("$.waitedMs").asNumber().isNotNull();
		assertThat(shown).extractingPath("$.attempts[0].number").isEqualTo(1);
		assertThat(shown).extractingPath("$.attempts[0].stackTrace")
			.asString()
			.startsWith("java.lang.IllegalStateException: broken")
			.contains("\n\tat ");
		assertThat(user("/summary/" + dead)).extractingPath("$.job.attempts[0].stackTrace")
			.asString()
			.startsWith("java.lang.IllegalStateException: " + MASK + "\n\tat ");
		assertThat(user("/jobs?state=dead&job=break")).doesNotHavePath("$.jobs[0].attempts");
		assertThat(user("/jobs?state=dead&job=break")).extractingPath("$.jobs[*].id").asArray().contains(dead);
	}

	@Test
	void leaseIsListedAndReleasedByForce() {
		Lease lease = this.leases.tryAcquire("export", "north").orElseThrow();
		String digest = lease.key().digest();
		assertThat(user("/leases")).extractingPath("$.leases[?(@.key.digest == '" + digest + "')].key.text")
			.asArray()
			.containsExactly(MASK);
		JsonContent one = operator("/leases/" + digest);
		assertThat(one).extractingPath("$.job").isEqualTo("export");
		assertThat(one).extractingPath("$.key.text").asString().contains("north");
		assertThat(one).extractingPath("$.fencingToken").isEqualTo(lease.fencingToken());
		assertThat(one).extractingPath("$.remainingMs").asNumber().isNotNull();
		assertThat(delete("/leases/" + digest)).hasStatusOk()
			.bodyJson()
			.extractingPath("$.result")
			.isEqualTo("RELEASED");
		assertThat(this.leases.isAvailable(lease.key())).isTrue();
		assertThat(last("LOCKET_LEASE_RELEASED").getData()).containsEntry("lease", digest);
		assertThat(delete("/leases/" + digest)).hasStatus(404);
		lease.close();
	}

	@ParameterizedTest
	@CsvSource({ "8, _0BI4UyM3sLtth7f53aWcQ", "148, -E3MrRD23owiAitO_lCqRg" })
	void leaseIsFoundAndReleasedWhenItsDigestBeginsWithAPunctuationMark(int customer, String digest) {
		Lease lease = this.leases.tryAcquire("billing.bill", customer).orElseThrow();
		assertThat(lease.key().digest()).isEqualTo(digest);
		assertThat(operator("/leases/" + digest)).extractingPath("$.key.digest").isEqualTo(digest);
		assertThat(delete("/leases/" + digest)).hasStatusOk();
		assertThat(this.leases.isAvailable(lease.key())).isTrue();
		lease.close();
	}

	@Test
	void claimIsFoundAndFreed() {
		JobKey key = this.leases.keyOf("daily", "north");
		this.leases.claim(key, Duration.ofHours(24));
		assertThat(operator("/leases/" + key.digest())).extractingPath("$.kind").isEqualTo("CLAIM");
		assertThat(delete("/leases/" + key.digest())).hasStatusOk()
			.bodyJson()
			.extractingPath("$.kind")
			.isEqualTo("CLAIM");
		assertThat(this.leases.findClaim(key)).isEmpty();
	}

	@Test
	void queueIsPausedResumedAndRemoved(CapturedOutput output) {
		accepted(this.jobs.enqueue(EnqueueOptions.now().queue("gone"), "bill", 1, "gone"));
		assertThat(post("/queues/gone/pause")).hasStatusOk().bodyJson().extractingPath("$.result").isEqualTo("PAUSED");
		assertThat(this.administration.counts("gone").paused()).isTrue();
		AuditEvent paused = last("LOCKET_QUEUE_PAUSED");
		assertThat(paused.getPrincipal()).isEqualTo("operator");
		assertThat(paused.getData()).containsExactlyInAnyOrderEntriesOf(Map.of("queue", "gone", "result", "PAUSED"));
		assertThat(output).contains("Actuator: operator requested to pause a queue: {queue=gone, result=PAUSED}");
		assertThat(post("/queues/gone/resume")).bodyJson().extractingPath("$.result").isEqualTo("RESUMED");
		assertThat(this.administration.counts("gone").paused()).isFalse();
		MvcTestResult removed = delete("/queues/gone");
		assertThat(removed).bodyJson().extractingPath("$.result").isEqualTo("REMOVED");
		assertThat(removed).bodyJson().extractingPath("$.jobs").isEqualTo(1);
		assertThat(last("LOCKET_QUEUE_REMOVED").getData()).containsEntry("jobs", 1L);
	}

	@Test
	void queueWithoutJobsIsPausedOnlyOnRequest() {
		for (String create : List.of("", "?create=false")) {
			assertThat(post("/queues/never-used/pause" + create)).hasStatus(404)
				.bodyJson()
				.extractingPath("$.message")
				.isEqualTo("There is no queue 'never-used'. It never had a job or a setting. A web request with the"
						+ " parameter create=true pauses it nevertheless");
		}
		for (String create : List.of("yes", "1", "")) {
			assertRefused(post("/queues/never-used/pause?create=" + create),
					"'create' must be true or false, but is '" + create + "'");
		}
		assertRefused(post("/queues/bills/pause", "{\"create\": \"yes\"}"),
				"'create' must be true or false, but is 'yes'");
		assertThat(this.administration.counts("bills").paused()).isFalse();
		assertThat(post("/queues/never-used/resume")).hasStatus(404)
			.bodyJson()
			.extractingPath("$.message")
			.isEqualTo("There is no queue 'never-used'. It never had a job or a setting");
		assertThat(content(post("/queues/never-used/pause?create=true"))).extractingPath("$.result")
			.isEqualTo("PAUSED");
		assertThat(last("LOCKET_QUEUE_PAUSED").getData()).containsEntry("queue", "never-used")
			.containsEntry("create", "true");
		assertThat(this.administration.counts("never-used").paused()).isTrue();
		this.administration.resume("never-used");
	}

	@Test
	void jobIsMovedMadeReadyAndCancelled() {
		String id = accepted(this.jobs.enqueue(EnqueueOptions.in(Duration.ofHours(1)).queue("later"), "bill", 2, "y"));
		assertThat(post("/jobs/" + id + "/run-now")).bodyJson().extractingPath("$.result").isEqualTo("DONE");
		assertThat(post("/jobs/" + id + "/move?queue=slow")).bodyJson().extractingPath("$.result").isEqualTo("DONE");
		assertThat(last("LOCKET_JOB_MOVED").getData()).containsEntry("job", id).containsEntry("queue", "slow");
		assertThat(this.administration.find(id)).get().extracting(JobRecord::queue).isEqualTo("slow");
		assertThat(this.mvc.post()
			.uri("/actuator/locket/jobs/" + id + "/move")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"queue\":\"slower\"}")
			.with(OPERATOR)).hasStatusOk();
		assertThat(this.administration.find(id)).get().extracting(JobRecord::queue).isEqualTo("slower");
		assertThat(post("/jobs/" + id + "/cancel")).bodyJson().extractingPath("$.result").isEqualTo("CANCELLED");
		assertThat(this.administration.find(id)).get().extracting(JobRecord::state).isEqualTo(JobState.CANCELLED);
		assertThat(post("/jobs/" + id + "/run-now")).bodyJson().extractingPath("$.result").isEqualTo("REFUSED");
	}

	@Test
	void jobIsRescheduled() {
		String id = accepted(this.jobs.enqueue(EnqueueOptions.in(Duration.ofHours(1)).queue("later"), "bill", 2, "y"));
		String at = "2130-01-31T08:00:00Z";
		assertThat(post("/jobs/" + id + "/reschedule?at=" + at)).bodyJson()
			.extractingPath("$.result")
			.isEqualTo("DONE");
		assertThat(last("LOCKET_JOB_RESCHEDULED").getData()).containsEntry("job", id).containsEntry("at", at);
		assertThat(this.administration.find(id)).get().extracting(JobRecord::startAt).isEqualTo(Instant.parse(at));
		for (String wrong : List.of("", "?at=tomorrow", "?at=2130-01-31T08:00:00")) {
			assertThat(post("/jobs/" + id + "/reschedule" + wrong)).hasStatus(400)
				.bodyJson()
				.extractingPath("$.message")
				.asString()
				.contains("2030-01-31T08:00:00Z");
		}
		assertThat(post("/jobs/nobody/reschedule?at=" + at)).hasStatus(404);
		this.administration.cancel(id);
		assertThat(post("/jobs/" + id + "/reschedule?at=" + at)).bodyJson()
			.extractingPath("$.result")
			.isEqualTo("REFUSED");
	}

	@Test
	void jobThatRunsShowsItsProgressAndIsFlaggedWhenItIsCancelled() throws InterruptedException {
		String id = accepted(this.jobs.enqueue("hold", "it"));
		assertThat(this.billing.started().await(10, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.administration.find(id).orElseThrow().progress() != null);
		JsonContent job = user("/jobs/" + id);
		assertThat(job).extractingPath("$.progress.done").isEqualTo(1);
		assertThat(job).extractingPath("$.progress.total").isEqualTo(2);
		assertThat(job).extractingPath("$.progress.message").isEqualTo(MASK);
		assertThat(operator("/jobs/" + id)).extractingPath("$.progress.message").isEqualTo("half of it");
		assertThat(user("/workers")).extractingPath("$.workers[?(@.thisInstance == true)].running")
			.asArray()
			.containsExactly(1);
		assertThat(post("/jobs/" + id + "/cancel")).bodyJson().extractingPath("$.result").isEqualTo("FLAGGED");
		this.billing.gate().countDown();
		await().until(() -> this.administration.find(id).orElseThrow().state().isEnded());
		assertThat(post("/jobs/" + id + "/cancel")).bodyJson().extractingPath("$.result").isNotEqualTo("FLAGGED");
	}

	@Test
	void deadLetterIsRequeuedAsAnotherJobOrDismissed() {
		String dead = dead();
		MvcTestResult result = post("/jobs/" + dead + "/requeue");
		assertThat(result).bodyJson().extractingPath("$.result").isEqualTo("ACCEPTED");
		String successor = this.administration.find(dead).orElseThrow().requeuedAs();
		assertThat(result).bodyJson().extractingPath("$.id").isEqualTo(successor);
		assertThat(last("LOCKET_JOB_REQUEUED").getData()).containsEntry("job", dead).containsEntry("id", successor);
		MvcTestResult again = post("/jobs/" + dead + "/requeue");
		assertThat(again).bodyJson().extractingPath("$.result").isEqualTo("DUPLICATE");
		assertThat(again).bodyJson().extractingPath("$.of").isEqualTo(successor);
		String other = dead();
		assertThat(post("/jobs/" + other + "/dismiss")).bodyJson().extractingPath("$.result").isEqualTo("DONE");
		assertThat(this.administration.stream(JobFilter.dead()).map(JobRecord::id)).doesNotContain(other);
		MvcTestResult refused = post("/jobs/" + other + "/requeue");
		assertThat(refused).bodyJson().extractingPath("$.result").isEqualTo("REFUSED");
		assertThat(refused).bodyJson().extractingPath("$.of").isEqualTo(other);
		assertThat(refused).bodyJson()
			.extractingPath("$.state")
			.isEqualTo(this.administration.find(other).orElseThrow().state().name());
	}

	@Test
	void jobsOfAFilterAreCountedAndUpdatedInSteps() {
		for (int i = 0; i < 3; i++) {
			accepted(this.jobs.enqueue(EnqueueOptions.now().queue("batch"), "bill", 100L + i, "batch"));
		}
		assertThat(user("/jobs/count?queue=batch&state=ready")).extractingPath("$.jobs").isEqualTo(3);
		MvcTestResult first = post("/jobs/move?queue=batch&state=ready&to=batch2&limit=2");
		assertThat(content(first)).isLenientlyEqualTo("{ matched: 2, done: 2, flagged: 0, refused: 0 }");
		MvcTestResult rest = post(
				"/jobs/move?queue=batch&state=ready&to=batch2&limit=2&cursor=" + text(first, "$.cursor"));
		assertThat(content(rest)).isLenientlyEqualTo("{ matched: 1, done: 1, flagged: 0, refused: 0 }")
			.doesNotHavePath("$.cursor");
		assertThat(last("LOCKET_JOBS_MOVED").getData()).containsEntry("queue", "batch")
			.containsEntry("state", "ready")
			.containsEntry("to", "batch2")
			.containsEntry("done", 1L);
		assertThat(content(post("/jobs/cancel?queue=batch2&state=ready"))).extractingPath("$.done").isEqualTo(3);
		assertThat(this.administration.counts("batch2").in(JobState.CANCELLED)).isEqualTo(3);
	}

	@Test
	void jobsAreNotUpdatedWithoutStatesOrByWhoOnlyReads() {
		assertRefused(post("/jobs/cancel?queue=work"), "Name the states of the jobs: state=dead, for instance");
		assertThat(post("/jobs/dismiss?state=ready")).hasStatus(400);
		assertThat(post("/queues/pause")).hasStatus(404);
		assertThat(post("/jobs/cancel?state=ready&staet=dead")).hasStatus(400);
		assertThat(this.mvc.post()
			.uri("/actuator/locket/jobs/cancel?state=ready")
			.contentType(MediaType.APPLICATION_JSON)
			.with(USER)).hasStatus(403);
	}

	/**
	 * A script may build the request with a variable that is not set.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "queue", "job", "key", "text", "dueFrom", "dueUntil", "state" })
	void bulkActionWithAnEmptyFilterIsRefused(String filter) {
		String id = accepted(
				this.jobs.enqueue(EnqueueOptions.in(Duration.ofDays(1)).queue("kept"), "bill", 700L, filter));
		String state = filter.equals("state") ? "" : "state=scheduled&";
		String refusal = "There is no value for '" + filter
				+ "', and a bulk action without a filter applies to all jobs."
				+ " Write a value, or leave the parameter out";
		for (String value : List.of("=", "=%20", "=&" + filter + "=", "")) {
			assertRefused(post("/jobs/cancel?" + state + filter + value), refusal);
		}
		for (String value : List.of("\"\"", "\" \"", "null")) {
			assertRefused(post("/jobs/cancel" + (state.isEmpty() ? "" : "?state=scheduled"),
					"{\"" + filter + "\": " + value + "}"), refusal);
		}
		assertThat(this.administration.find(id)).get().extracting(JobRecord::state).isEqualTo(JobState.SCHEDULED);
		this.administration.cancel(id);
	}

	@Test
	void emptyCursorOfABulkActionIsItsBegin() {
		accepted(this.jobs.enqueue(EnqueueOptions.in(Duration.ofDays(1)).queue("cursor"), "bill", 701L, "cursor"));
		assertThat(content(post("/jobs/cancel?cursor=&state=scheduled&queue=cursor&limit="))).extractingPath("$.done")
			.isEqualTo(1);
	}

	@Test
	void readWithAnEmptyFilterIgnoresIt() {
		assertThat(user("/jobs/count?queue=&state=dead&job=&dueUntil=")).extractingPath("$.jobs")
			.isEqualTo(JsonPath.<Integer>read(user("/jobs/count?state=dead").getJson(), "$.jobs"));
	}

	@Test
	void jobsAreFoundByTheirArgumentsAndDueTimes() {
		String id = accepted(
				this.jobs.enqueue(EnqueueOptions.in(Duration.ofDays(400)).queue("far"), "bill", 500L, "Far Away"));
		for (String path : List.of("/jobs?text=far%20away", "/summary/jobs?text=far%20away")) {
			assertThat(operator(path).getJson()).contains(id).doesNotContain(this.waiting);
		}
		assertRefused(get("/jobs?text=far", USER),
				"You cannot filter by 'text', because arguments are hidden from you. "
						+ "management.endpoint.locket.show-arguments selects the users who see them");
		assertThat(operator("/jobs?text=hush")).extractingPath("$.jobs").asArray().isEmpty();
		Instant before = Instant.now().plus(Duration.ofDays(399));
		Instant after = before.plus(Duration.ofDays(2));
		assertThat(user("/jobs/count?dueFrom=" + before + "&dueUntil=" + after)).extractingPath("$.jobs").isEqualTo(1);
		assertThat(user("/jobs/count?dueFrom=" + before.minusSeconds(60) + "&dueUntil=" + before))
			.extractingPath("$.jobs")
			.isEqualTo(0);
		assertThat(get("/jobs?dueFrom=soon", USER)).hasStatus(400);
		assertThat(content(post("/jobs/cancel?state=scheduled&text=FAR"))).extractingPath("$.done").isEqualTo(1);
		assertThat(last("LOCKET_JOBS_CANCELLED").getData()).containsEntry("text", MASK);
	}

	@Test
	void summaryIsTheWholeViewInOneResponse() {
		JsonContent all = user("/summary");
		assertThat(all).extractingPath("$.overview.totals.queues").asNumber().isNotEqualTo(0);
		assertThat(all).extractingPath("$.schedules[?(@.name == 'nightly')].job").asArray().containsExactly("bill");
		assertThat(all).hasPath("$.workers").hasPath("$.leases").doesNotHavePath("$.jobs");
		JsonContent some = user("/summary/jobs?job=bill&queue=bills&limit=1");
		assertThat(some).extractingPath("$.jobs.jobs[0].id").isEqualTo(this.waiting);
		assertThat(some).extractingPath("$.jobs.jobs[0].arguments").isEqualTo(MASK);
		assertThat(user("/summary/" + this.waiting)).extractingPath("$.job.arguments").isEqualTo(MASK);
		assertThat(operator("/summary/" + this.waiting)).extractingPath("$.job.arguments[0]").isEqualTo(42);
		assertThat(all).hasPath("$.throughput.samples").hasPath("$.throughput.queues");
		assertThat(user("/summary/queues")).hasPath("$.overview")
			.hasPath("$.throughput.samples")
			.doesNotHavePath("$.workers");
		assertThat(user("/summary/workers")).hasPath("$.workers");
		assertThat(user("/summary/schedules")).hasPath("$.schedules");
		assertThat(user("/summary/leases")).hasPath("$.leases");
		assertThat(get("/summary/missing", USER)).hasStatus(404);
		assertThat(get("/summary?state=dead", USER)).hasStatus(400);
	}

	@Test
	void workerIsQuietedAndResumed(CapturedOutput output) {
		String instance = JsonPath.read(user("/workers").getJson(), "$.workers[0].instance");
		String worker = instance.substring(instance.lastIndexOf('/') + 1);
		assertThat(content(post("/workers/" + worker + "/quiet"))).extractingPath("$.result").isEqualTo("QUIETED");
		assertThat(last("LOCKET_WORKER_QUIETED").getData()).containsEntry("worker", worker);
		assertThat(user("/workers/" + worker)).extractingPath("$.quiet").isEqualTo(true);
		await().until(() -> output.getOut().contains("The workers of this process were quieted"));
		String id = accepted(this.jobs.enqueue("break", "quiet"));
		await().until(() -> this.administration.workers().get(0).running() == 0);
		Instant before = this.administration.overview().time();
		assertThat(content(post("/workers/" + worker + "/resume"))).extractingPath("$.result").isEqualTo("RESUMED");
		assertThat(last("LOCKET_WORKER_RESUMED").getPrincipal()).isEqualTo("operator");
		await().until(() -> this.administration.find(id).orElseThrow().state() == JobState.DEAD);
		assertThat(this.administration.find(id).orElseThrow().startedAt()).isAfterOrEqualTo(before);
		assertThat(output.getOut()).contains("The workers of this process were resumed");
		assertThat(user("/workers/" + worker)).extractingPath("$.quiet").isEqualTo(false);
		assertThat(post("/workers/nobody/quiet")).hasStatus(404);
	}

	@Test
	void countsPerMinuteAreShownForAsManyMinutesAsAreKept() {
		assertThat(user("/throughput")).hasPath("$.samples").hasPath("$.queues");
		assertThat(get("/throughput?limit=240", USER)).hasStatusOk();
		assertThat(get("/throughput?limit=241", USER)).hasStatus(400);
		assertThat(get("/throughput?limit=0", USER)).hasStatus(400);
		assertThat(get("/throughput?minutes=5", USER)).hasStatus(400);
	}

	@Test
	void summaryAfterAWriteShowsTheWrite() {
		String id = accepted(this.jobs.enqueue(EnqueueOptions.now().queue("seen"), "bill", 77L, "seen"));
		assertThat(user("/summary/" + id)).extractingPath("$.job.state").isEqualTo("READY");
		assertThat(post("/jobs/" + id + "/cancel")).hasStatusOk();
		assertThat(user("/summary/" + id)).extractingPath("$.job.state").isEqualTo("CANCELLED");
	}

	@Test
	void storedDataIsVerifiedAndRepaired() {
		assertThat(user("/violations")).isLenientlyEqualTo("{ total: 0, violations: [] }");
		assertThat(content(post("/violations/repair"))).isLenientlyEqualTo("{ matched: 0, done: 0, refused: 0 }");
		assertThat(last("LOCKET_VIOLATIONS_REPAIRED").getData()).containsEntry("matched", 0L);
		assertThat(post("/violations/all/repair")).hasStatus(404);
		assertThat(this.mvc.post()
			.uri("/actuator/locket/violations/repair")
			.contentType(MediaType.APPLICATION_JSON)
			.with(USER)).hasStatus(403);
	}

	@Test
	void scheduleIsPausedTriggeredAndRemoved() {
		this.schedules.put(ScheduleRequest.every("hourly", Duration.ofHours(1),
				JobRequest.of("bill", 9, "z").with(EnqueueOptions.now().queue("aside"))));
		JsonContent schedule = user("/schedules/hourly");
		assertThat(schedule).extractingPath("$.everyMs").isEqualTo(3600000);
		assertThat(schedule).extractingPath("$.misfire").isEqualTo("LATEST");
		assertThat(schedule).extractingPath("$.nextFiring").asString().endsWith("Z");
		assertThat(post("/schedules/hourly/pause")).bodyJson().extractingPath("$.result").isEqualTo("PAUSED");
		assertThat(this.schedules.get("hourly")).get().extracting(ScheduleStatus::paused).isEqualTo(true);
		MvcTestResult triggered = post("/schedules/hourly/trigger");
		assertThat(triggered).bodyJson().extractingPath("$.result").isEqualTo("ACCEPTED");
		String id = text(triggered, "$.id");
		assertThat(this.administration.find(id)).get().extracting(JobRecord::job).isEqualTo("bill");
		MvcTestResult again = post("/schedules/hourly/trigger");
		assertThat(again).bodyJson().extractingPath("$.result").isEqualTo("DUPLICATE");
		assertThat(again).bodyJson().extractingPath("$.of").isEqualTo(id);
		assertThat(again).bodyJson().extractingPath("$.state").isEqualTo("READY");
		assertThat(post("/schedules/hourly/resume")).bodyJson().extractingPath("$.result").isEqualTo("RESUMED");
		assertThat(delete("/schedules/hourly")).bodyJson().extractingPath("$.result").isEqualTo("REMOVED");
		assertThat(last("LOCKET_SCHEDULE_REMOVED").getData()).containsEntry("schedule", "hourly");
		assertThat(this.schedules.get("hourly")).isEmpty();
	}

	@Test
	void unknownNameIsNotFoundAndTheBodyNamesIt() {
		for (String path : List.of("/nothing", "/nothing/at", "/queues/misspelt", "/jobs/nobody", "/schedules/never",
				"/leases/" + UNKNOWN, "/workers/me", "/leader/me")) {
			assertThat(get(path, USER)).as(path).hasStatus(404).bodyJson().extractingPath("$.message").isNotNull();
		}
		for (String path : List.of("/nothing/at/all", "/queues/misspelt/pause", "/queues/bills/explode",
				"/queues/bills/remove", "/jobs/nobody/cancel", "/jobs/nobody/requeue", "/jobs/nobody/dismiss",
				"/jobs/nobody/move?queue=slow", "/schedules/never/pause", "/schedules/never/trigger",
				"/leases/" + UNKNOWN + "/release", "/leader/me/resign")) {
			assertThat(post(path)).as(path).hasStatus(404).bodyJson().extractingPath("$.message").isNotNull();
		}
		for (String path : List.of("/nothing/at", "/queues/misspelt", "/jobs/" + this.waiting, "/schedules/never",
				"/leases/" + UNKNOWN, "/workers/me")) {
			assertThat(delete(path)).as(path).hasStatus(404).bodyJson().extractingPath("$.message").isNotNull();
		}
		assertThat(post("/queues/bills/explode")).bodyJson()
			.extractingPath("$.message")
			.isEqualTo("'explode' is not an operation below 'queues'. Write one of pause, resume");
		assertThat(this.administration.queues()).doesNotContain("misspelt");
		assertThat(this.administration.find(this.waiting)).get().extracting(JobRecord::state).isEqualTo(JobState.READY);
	}

	@Test
	void settingsAreThoseThatAreInEffect() {
		JsonContent settings = user("/settings");
		assertThat(settings).extractingPath("$.lease.durationMs").isEqualTo(35000);
		assertThat(settings).extractingPath("$.lease.heartbeatMs").isEqualTo(10000);
		assertThat(settings).extractingPath("$.redis.commandTimeoutMs").isEqualTo(2000);
		assertThat(settings).extractingPath("$.retry.max").isEqualTo(5);
		assertThat(settings).extractingPath("$.leader.election").isEqualTo("WITH_SCHEDULES");
		assertThat(settings).extractingPath("$.leader.ttlMs").isEqualTo(30000);
		assertThat(settings).extractingPath("$.workers[0].queues.work").isEqualTo(1);
		assertThat(settings).extractingPath("$.workers[0].pollIntervalMs").isEqualTo(1000);
		assertThat(settings).extractingPath("$.queues.work.served").isEqualTo(true);
		assertThat(settings).extractingPath("$.instance")
			.isEqualTo(this.context.getBean(EffectiveSettings.class).instance());
		JsonContent policy = user("/settings/some-queue");
		assertThat(policy).extractingPath("$.lock").isEqualTo("WHILE_EXECUTING");
		assertThat(policy).extractingPath("$.onConflictQueued").isEqualTo("PARK");
		assertThat(policy).extractingPath("$.served").isEqualTo(false);
		assertThat(get("/settings/a!b", USER)).hasStatus(400);
	}

	@Test
	void parameterThatWouldBeIgnoredIsRefused() {
		assertRefused(get("/jobs?stat=dead", USER),
				"There is no parameter 'stat' here. There are 'cursor', 'dueFrom', 'dueUntil', 'job', 'key',"
						+ " 'limit', 'queue', 'state', 'text'");
		assertRefused(get("/jobs/" + this.waiting + "?limit=1", USER),
				"There is no parameter 'limit' here. There are no parameters");
		assertRefused(get("/queues?a=1&state=ready", USER),
				"There is no parameter 'a', 'state' here. There are no parameters");
		assertRefused(get("/queues/bills?queue=slow", USER),
				"There is no parameter 'queue' here. There are 'cursor', 'dueFrom', 'dueUntil', 'job', 'key', 'limit',"
						+ " 'state', 'text'");
		assertRefused(get("/leases?cursor=x", USER), "There is no parameter 'cursor' here. There are 'limit'");
		assertRefused(get("?verbose=true", USER), "There is no parameter 'verbose' here. There are no parameters");
		assertRefused(post("/jobs/" + this.waiting + "/move?to=slow"),
				"There is no parameter 'to' here. There are 'queue'");
		assertRefused(post("/jobs/" + this.waiting + "/reschedule?queue=slow"),
				"There is no parameter 'queue' here. There are 'at'");
		assertRefused(post("/queues/bills/pause?queue=slow"), "There is no parameter 'queue' here. There are 'create'");
		assertRefused(post("/queues/bills/resume?create=true"),
				"There is no parameter 'create' here. There are no parameters");
		assertRefused(delete("/queues/bills?force=true"),
				"There is no parameter 'force' here. There are no parameters");
		assertThat(this.administration.counts("bills").paused()).isFalse();
		assertThat(get("/jobs?_csrf=x", USER)).hasStatusOk();
		assertThat(get("/nothing?a=1", USER)).hasStatus(404);
	}

	private static void assertRefused(MvcTestResult result, String message) {
		assertThat(result).hasStatus(400).bodyJson().extractingPath("$.message").isEqualTo(message);
	}

	@Test
	void writeThatFailsIsAuditedAsSuch() {
		post("/queues/misspelt/pause");
		AuditEvent failed = last("LOCKET_WRITE_FAILED");
		assertThat(failed.getPrincipal()).isEqualTo("operator");
		assertThat(failed.getData()).containsEntry("queue", "misspelt")
			.containsEntry("action", "pause")
			.containsEntry("error", "There is no queue 'misspelt'. It never had a job or a setting. A web request with"
					+ " the parameter create=true pauses it nevertheless");
	}

	@Test
	void badInputIsRefusedWithTheRemedyInTheBody() {
		for (String path : List.of("/jobs?limit=0", "/jobs?limit=many", "/jobs?state=blue", "/jobs?cursor=x",
				"/jobs?queue=a%20b", "/queues/a%20b", "/queues/bills?state=blue",
				"/queues/bills?cursor=UkVBRFkvYmlsbHMveA", "/leases?limit=1001")) {
			assertThat(get(path, USER)).as(path).hasStatus(400).bodyJson().extractingPath("$.message").isNotNull();
		}
		for (String path : List.of("/jobs/" + this.waiting + "/move", "/jobs/" + this.waiting + "/move?queue=a%20b",
				"/queues/a%20b/pause")) {
			assertThat(post(path)).as(path).hasStatus(400).bodyJson().extractingPath("$.message").isNotNull();
		}
		assertThat(this.administration.find(this.waiting)).get().extracting(JobRecord::queue).isEqualTo("bills");
	}

	/**
	 * A page of another site cannot make a browser send JSON.
	 */
	@Test
	void writeWithoutJsonIsRefused() {
		assertThat(this.mvc.post()
			.uri("/actuator/locket/queues/bills/pause")
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.with(OPERATOR)).hasStatus(415);
		assertThat(this.administration.counts("bills").paused()).isFalse();
	}

	/**
	 * Returns the id of a new dead letter.
	 */
	private String dead() {
		String id = accepted(this.jobs.enqueue("break", "c" + System.identityHashCode(new Object())));
		await().until(() -> this.administration.find(id).orElseThrow().state() == JobState.DEAD);
		return id;
	}

	private AuditEvent last(String type) {
		List<AuditEvent> events = this.audits.find(null, null, type);
		return events.get(events.size() - 1);
	}

	private JsonContent user(String path) {
		return content(get(path, USER));
	}

	private JsonContent operator(String path) {
		return content(get(path, OPERATOR));
	}

	private static JsonContent content(MvcTestResult result) {
		assertThat(result).hasStatusOk();
		return new JsonContent(json(result));
	}

	private static String json(MvcTestResult result) {
		try {
			return result.getResponse().getContentAsString();
		}
		catch (UnsupportedEncodingException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String text(JsonContent content, String path) {
		return JsonPath.read(content.getJson(), path);
	}

	private static String text(MvcTestResult result, String path) {
		return JsonPath.read(json(result), path);
	}

	private MvcTestResult get(String path, RequestPostProcessor caller) {
		return this.mvc.get().uri(URI.create("/actuator/locket" + path)).with(caller).exchange();
	}

	private MvcTestResult post(String path) {
		return post(path, "");
	}

	private MvcTestResult post(String path, String body) {
		return this.mvc.post()
			.uri(URI.create("/actuator/locket" + path))
			.contentType(MediaType.APPLICATION_JSON)
			.content(body)
			.with(OPERATOR)
			.exchange();
	}

	private MvcTestResult delete(String path) {
		return this.mvc.delete().uri(URI.create("/actuator/locket" + path)).with(OPERATOR).exchange();
	}

	private static String accepted(@Nullable EnqueueResult result) {
		assertThat(result).isInstanceOf(EnqueueResult.Accepted.class);
		return ((EnqueueResult.Accepted) result).id();
	}

	@SpringBootConfiguration
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
			WorkerAutoConfiguration.class, LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
			SettingsAutoConfiguration.class, LocketEndpointAutoConfiguration.class, JacksonAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class,
			EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			ManagementContextAutoConfiguration.class, AuditAutoConfiguration.class })
	@Import(Billing.class)
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.GET)
					.authenticated()
					.anyRequest()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		InMemoryAuditEventRepository audits() {
			return new InMemoryAuditEventRepository();
		}

	}

	static class Billing {

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch gate = new CountDownLatch(1);

		public CountDownLatch started() {
			return this.started;
		}

		public CountDownLatch gate() {
			return this.gate;
		}

		@UniqueJob(name = "bill", queue = "bills", lock = LockStrategy.UNTIL_EXECUTED)
		public void bill(long customer, String period) {
			throw new AssertionError("Job of a queue without a worker: " + customer + " " + period);
		}

		@UniqueJob(name = "secret", queue = "bills", maskArguments = "true")
		public void secret(String word) {
			throw new AssertionError("Job of a queue without a worker: " + word);
		}

		@UniqueJob(name = "break", queue = "work", retries = "0")
		public void fail(String customer) {
			throw new IllegalStateException("broken: " + customer);
		}

		@UniqueJob(name = "hold", queue = "work")
		public void hold(String what) throws InterruptedException {
			JobContext.required("hold").progress(1, 2, "half of " + what);
			this.started.countDown();
			assertThat(this.gate.await(20, TimeUnit.SECONDS)).as(what).isTrue();
		}

	}

}
