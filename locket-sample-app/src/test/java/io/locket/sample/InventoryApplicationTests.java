package io.locket.sample;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.locket.JobKey;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.TestJars;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link InventoryApplication}, the whole program over HTTP.
 */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class InventoryApplicationTests {

	@TempDir
	private Path directory;

	private TestReplicas replicas;

	@BeforeEach
	void jars() {
		TestJars.write(this.directory);
		this.replicas = new TestReplicas(this.directory);
	}

	@AfterEach
	void stop() {
		this.replicas.close();
	}

	@Test
	void scanRunsOneInspectionOfManyOffers(CapturedOutput output) {
		RestTestClient client = this.replicas.startWithoutSchedule();
		TestReplicas.awaitScan(client, "ENDED");
		client.get()
			.uri("/scans/last")
			.exchange()
			.expectBody()
			.jsonPath("$.result.artifacts")
			.isEqualTo(4)
			.jsonPath("$.result.offered")
			.isEqualTo(28)
			.jsonPath("$.result.ran")
			.isEqualTo(4)
			.jsonPath("$.result.merged")
			.isEqualTo(24)
			.jsonPath("$.result.overlapped")
			.isEqualTo(0)
			.jsonPath("$.result.failed")
			.isEqualTo(0);
		assertThat(output).contains("offered 28, ran 4, merged 24, overlapped 0");
	}

	@Test
	void scanIsFollowedByJobsThatAreParkedRetriedAndDie() {
		RestTestClient client = this.replicas.startWithoutSchedule("--inventory.examples=true");
		TestReplicas.awaitScan(client, "ENDED");
		Awaitility.await()
			.untilAsserted(() -> client.get()
				.uri("/queues")
				.exchange()
				.expectBody()
				.jsonPath("$[?(@.queue == 'reports')].parked")
				.isEqualTo(List.of(2))
				.jsonPath("$[?(@.queue == 'reports')].running")
				.isEqualTo(List.of(1)));
		Awaitility.await()
			.untilAsserted(() -> client.get()
				.uri("/queues")
				.exchange()
				.expectBody()
				.jsonPath("$[?(@.queue == 'reports')].deadLetters")
				.isEqualTo(List.of(1))
				.jsonPath("$[?(@.queue == 'reports')].later")
				.isEqualTo(List.of(1)));
	}

	@Test
	void artifactsAreServedWithPackagesThatTheyShare() {
		RestTestClient client = this.replicas.startWithoutSchedule();
		TestReplicas.awaitScan(client, "ENDED");
		client.get()
			.uri("/artifacts")
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.APPLICATION_JSON)
			.expectBody()
			.jsonPath("$.length()")
			.isEqualTo(4)
			.jsonPath("$[2].name")
			.isEqualTo("one.jar")
			.jsonPath("$[2].version")
			.isEqualTo("1.0")
			.jsonPath("$[2].packages")
			.isEqualTo(2)
			.jsonPath("$[2].sharedPackages")
			.isEqualTo(List.of("shared"))
			.jsonPath("$[0].sharedPackages")
			.isEmpty();
	}

	@Test
	void scanCountsInspectionsThatFail() throws Exception {
		Files.writeString(this.directory.resolve("wrong.jar"), "no jar");
		RestTestClient client = this.replicas.startWithoutSchedule();
		TestReplicas.awaitScan(client, "ENDED");
		client.get()
			.uri("/scans/last")
			.exchange()
			.expectBody()
			.jsonPath("$.result.ran")
			.isEqualTo(5)
			.jsonPath("$.result.failed")
			.isEqualTo(1)
			.jsonPath("$.result.merged")
			.isEqualTo(30);
	}

	@Test
	void queuesTellWhatWaitsForAKeyThatIsHeld() {
		RestTestClient client = this.replicas.startWithoutSchedule("--inventory.scan-on-start=false");
		JobKey key = this.replicas.context(0)
			.getBean(UniqueJobs.class)
			.keyOf("inventory.inspect", new Artifact("file:one.jar", Artifact.Kind.JAR, "", null), 0);
		LeaseService leases = this.replicas.context(0).getBean(LeaseService.class);
		try (Lease lease = leases.tryAcquire(LeaseRequest.of(key)).orElseThrow()) {
			client.post().uri("/scans").exchange().expectStatus().isAccepted();
			Awaitility.await()
				.untilAsserted(() -> client.get()
					.uri("/jobs?state=PARKED")
					.exchange()
					.expectBody()
					.jsonPath("$.length()")
					.isEqualTo(1)
					.jsonPath("$[0].key")
					.isEqualTo("(\"file:one.jar\")")
					.jsonPath("$[0].queue")
					.isEqualTo("inventory"));
			client.get()
				.uri("/queues")
				.exchange()
				.expectBody()
				.jsonPath("$[?(@.queue == 'inventory')].parked")
				.isEqualTo(List.of(1))
				.jsonPath("$[?(@.queue == 'urgent')].parked")
				.isEqualTo(List.of(0));
			lease.ensureHeld();
		}
		TestReplicas.awaitScan(client, "ENDED");
		client.get()
			.uri("/queues")
			.exchange()
			.expectBody()
			.jsonPath("$[?(@.queue == 'inventory')].succeeded")
			.isEqualTo(List.of(3))
			.jsonPath("$[?(@.queue == 'urgent')].succeeded")
			.isEqualTo(List.of(1));
		client.get()
			.uri("/jobs?state=SUCCEEDED")
			.exchange()
			.expectBody()
			.jsonPath("$.length()")
			.isEqualTo(4)
			.jsonPath("$[0].instance")
			.isNotEmpty();
		client.get().uri("/jobs?state=LOST").exchange().expectStatus().isBadRequest();
	}

	@Test
	void pageIsServedWithWhatItNeeds() {
		RestTestClient client = this.replicas.startWithoutSchedule("--inventory.scan-on-start=false");
		client.get()
			.uri("/")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((page) -> assertThat(page).contains("<h1>Artifact inventory</h1>").doesNotContain("http"));
		for (String file : List.of("/page.js", "/style.css", "/icon.svg", "/actuator/health")) {
			client.get().uri(file).exchange().expectStatus().isOk();
		}
		client.get().uri("/scans/last").exchange().expectStatus().isNotFound();
		client.get().uri("/artifacts").exchange().expectBody().json("[]");
	}

	@Test
	void operatorsSeeHealthTheEndpointAndMeters() {
		RestTestClient client = this.replicas.startWithoutSchedule();
		TestReplicas.awaitScan(client, "ENDED");
		client.get()
			.uri("/actuator/health")
			.exchange()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.locket.components.worker.status")
			.isEqualTo("UP");
		client.get()
			.uri("/actuator/locket")
			.exchange()
			.expectBody()
			.jsonPath("$.queues[?(@.queue == 'inventory')].ended.SUCCEEDED")
			.isEqualTo(List.of(3));
		client.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectBody(String.class)
			.value((scrape) -> assertThat(scrape).containsPattern(
					"locket_job_executions_seconds_count\\{job=\"inventory.inspect\",outcome=\"succeeded\",queue=\"inventory\"\\} 3"));
		client.post()
			.uri("/actuator/locket/queues/inventory/pause")
			.contentType(MediaType.APPLICATION_JSON)
			.exchange()
			.expectStatus()
			.isOk();
		client.get()
			.uri("/queues")
			.exchange()
			.expectBody()
			.jsonPath("$[?(@.queue == 'inventory')].paused")
			.isEqualTo(List.of(true));
	}

	@Test
	void startStopsWhenDirectoryDoesNotExist(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> this.replicas.startWithoutSchedule("--inventory.dir=" + this.directory.resolve("missing")));
		assertThat(output).contains("APPLICATION FAILED TO START").contains("missing' does not exist");
	}

	@Test
	void startStopsWhenOffersAreNone(CapturedOutput output) {
		assertThatException().isThrownBy(() -> this.replicas.startWithoutSchedule("--inventory.offers=0"));
		assertThat(output).contains("APPLICATION FAILED TO START").contains("inventory.offers must be from 1 to 100");
	}

	@Test
	void startStopsWhenRedisIsBothEmbeddedAndGiven(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> this.replicas.startWithoutSchedule("--spring.data.redis.host=redis.example"));
		assertThat(output).contains("Application run failed").contains("Set inventory.redis=external");
	}

}
