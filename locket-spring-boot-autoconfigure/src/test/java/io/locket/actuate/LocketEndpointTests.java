package io.locket.actuate;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.jayway.jsonpath.JsonPath;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.LeaderAutoConfiguration;
import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.autoconfigure.QueueAutoConfiguration;
import io.locket.autoconfigure.ScheduleAutoConfiguration;
import io.locket.autoconfigure.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.WorkerAutoConfiguration;
import io.locket.autoconfigure.actuate.LocketEndpointAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobAdministration;
import io.locket.job.JobFilter;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.schedule.Leadership;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.test.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

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
 * Tests for {@link LocketEndpoint} on the web and on Redis, with Spring Security: whoever
 * has logged in reads, and operators see arguments and write. The answers are the same
 * whatever the application's own JSON looks like.
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

	private static final String UNKNOWN = "f".repeat(64);

	private static final RequestPostProcessor USER = SecurityMockMvcRequestPostProcessors.user("user").roles("USER");

	private static final RequestPostProcessor OPERATOR = SecurityMockMvcRequestPostProcessors.user("operator")
		.roles("OPERATOR");

	@Autowired
	private MockMvcTester mvc;

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
	void overviewTellsOfEverythingAtAGlance() {
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
			.containsExactly("queues", "jobs", "leases", "schedules", "workers", "leader");
	}

	@Test
	void queuesAreToldInFigures() {
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
		assertThat(job).extractingPath("$.key.digest").asString().hasSize(64);
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
		assertThat(user("/jobs?state=dead&job=break")).extractingPath("$.jobs[*].id").asArray().contains(dead);
	}

	@Test
	void leaseIsListedAndReleasedByForce() {
		Lease lease = this.leases.tryAcquire("export", "north").orElseThrow();
		String digest = lease.key().digest();
		assertThat(user("/leases")).extractingPath("$.leases[?(@.digest == '" + digest + "')].key")
			.asArray()
			.containsExactly(MASK);
		JsonContent one = operator("/leases/" + digest);
		assertThat(one).extractingPath("$.job").isEqualTo("export");
		assertThat(one).extractingPath("$.key").asString().contains("north");
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

	@Test
	void queueIsPausedResumedAndRemoved(CapturedOutput output) {
		accepted(this.jobs.enqueue(EnqueueOptions.now().queue("gone"), "bill", 1, "gone"));
		assertThat(post("/queues/gone/pause")).hasStatusOk().bodyJson().extractingPath("$.result").isEqualTo("PAUSED");
		assertThat(this.administration.counts("gone").paused()).isTrue();
		AuditEvent paused = last("LOCKET_QUEUE_PAUSED");
		assertThat(paused.getPrincipal()).isEqualTo("operator");
		assertThat(paused.getData()).containsExactlyInAnyOrderEntriesOf(Map.of("queue", "gone", "result", "PAUSED"));
		assertThat(output).contains("Actuator: operator asked to pause a queue: {queue=gone, result=PAUSED}");
		assertThat(post("/queues/gone/resume")).bodyJson().extractingPath("$.result").isEqualTo("RESUMED");
		assertThat(this.administration.counts("gone").paused()).isFalse();
		MvcTestResult removed = delete("/queues/gone");
		assertThat(removed).bodyJson().extractingPath("$.result").isEqualTo("REMOVED");
		assertThat(removed).bodyJson().extractingPath("$.jobs").isEqualTo(1);
		assertThat(last("LOCKET_QUEUE_REMOVED").getData()).containsEntry("jobs", 1L);
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
	void deadLetterIsPutBackAsAnotherJobOrDismissed() {
		String dead = dead();
		MvcTestResult result = post("/jobs/" + dead + "/put-back");
		assertThat(result).bodyJson().extractingPath("$.result").isEqualTo("ACCEPTED");
		String successor = this.administration.find(dead).orElseThrow().putBackAs();
		assertThat(result).bodyJson().extractingPath("$.id").isEqualTo(successor);
		assertThat(last("LOCKET_JOB_PUT_BACK").getData()).containsEntry("job", dead).containsEntry("id", successor);
		MvcTestResult again = post("/jobs/" + dead + "/put-back");
		assertThat(again).bodyJson().extractingPath("$.result").isEqualTo("DUPLICATE");
		assertThat(again).bodyJson().extractingPath("$.of").isEqualTo(successor);
		String other = dead();
		assertThat(post("/jobs/" + other + "/dismiss")).bodyJson().extractingPath("$.result").isEqualTo("DONE");
		assertThat(this.administration.stream(JobFilter.dead()).map(JobRecord::id)).doesNotContain(other);
		MvcTestResult refused = post("/jobs/" + other + "/put-back");
		assertThat(refused).bodyJson().extractingPath("$.result").isEqualTo("REFUSED");
		assertThat(refused).bodyJson().extractingPath("$.of").isEqualTo(other);
		assertThat(refused).bodyJson()
			.extractingPath("$.state")
			.isEqualTo(this.administration.find(other).orElseThrow().state().name());
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
	void whatIsNotThereIsNotFoundAndTheBodySaysWhat() {
		for (String path : List.of("/nothing", "/nothing/at", "/queues/misspelt", "/jobs/nobody", "/schedules/never",
				"/leases/" + UNKNOWN, "/workers/me", "/leader/me")) {
			assertThat(get(path, USER)).as(path).hasStatus(404).bodyJson().extractingPath("$.message").isNotNull();
		}
		for (String path : List.of("/nothing/at/all", "/queues/misspelt/pause", "/queues/bills/explode",
				"/queues/bills/remove", "/jobs/nobody/cancel", "/jobs/nobody/put-back", "/jobs/nobody/dismiss",
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
			.isEqualTo("'explode' is nothing that can be done below 'queues': write one of pause, resume");
		assertThat(this.administration.queues()).doesNotContain("misspelt");
		assertThat(this.administration.find(this.waiting)).get().extracting(JobRecord::state).isEqualTo(JobState.READY);
	}

	@Test
	void writeThatFailsIsAuditedAsSuch() {
		post("/queues/misspelt/pause");
		AuditEvent failed = last("LOCKET_WRITE_FAILED");
		assertThat(failed.getPrincipal()).isEqualTo("operator");
		assertThat(failed.getData()).containsEntry("queue", "misspelt")
			.containsEntry("action", "pause")
			.containsEntry("error", "There is no queue 'misspelt': it has had neither a job nor a setting");
	}

	@Test
	void badInputIsRefusedAndTheBodySaysWhatToWrite() {
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
	 * Return the id of a job that has just died.
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
		return this.mvc.post()
			.uri(URI.create("/actuator/locket" + path))
			.contentType(MediaType.APPLICATION_JSON)
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
			LocketEndpointAutoConfiguration.class, JacksonAutoConfiguration.class,
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
			throw new AssertionError("Nobody serves the queue of " + customer + " " + period);
		}

		@UniqueJob(name = "secret", queue = "bills", maskArguments = "true")
		public void secret(String word) {
			throw new AssertionError("Nobody serves the queue of " + word);
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
