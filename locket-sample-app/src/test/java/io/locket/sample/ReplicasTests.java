package io.locket.sample;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
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

/**
 * Tests for replicas of {@link InventoryApplication}, over HTTP.
 */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class ReplicasTests {

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
	void jobOfTheLostWorkerIsReclaimedAndRunsAfterTheNextScan() {
		RestTestClient client = this.replicas.startWithoutSchedule("--inventory.examples=true",
				"--locket.lease.duration=2s", "--locket.lease.heartbeat=500ms", "--locket.redis.command-timeout=500ms");
		TestReplicas.awaitScan(client, "ENDED");
		JobAdministration administration = this.replicas.context(0).getBean(JobAdministration.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(administration.list(JobFilter.waiting().queue("archive"), 10, null).jobs())
				.singleElement()
				.satisfies((job) -> assertThat(job.reclaims()).isEqualTo(1)));
		client.post().uri("/scans").exchange().expectStatus().isAccepted();
		Awaitility.await()
			.untilAsserted(() -> assertThat(administration.list(JobFilter.ended().queue("reports"), 10, null).jobs())
				.filteredOn((job) -> job.job().equals("inventory.archive"))
				.singleElement()
				.satisfies((job) -> {
					assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
					assertThat(job.reclaims()).isEqualTo(1);
				}));
	}

	@Test
	void scanIsRefusedWithHolderWhileAnotherReplicaScans(CapturedOutput output) {
		RestTestClient first = this.replicas.startWithoutSchedule("--inventory.pause=10m");
		TestReplicas.awaitScan(first, "RUNNING");
		RestTestClient second = this.replicas.startWithoutSchedule();
		assertThat(output).contains("No scan here: another one runs");
		second.post()
			.uri("/scans")
			.exchange()
			.expectStatus()
			.isEqualTo(409)
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.holder.key")
			.value(String.class, (key) -> assertThat(key).startsWith("inventory.scan"))
			.jsonPath("$.holder.instance")
			.value(String.class, (instance) -> assertThat(instance).contains("/" + ProcessHandle.current().pid() + "/"))
			.jsonPath("$.holder.thread")
			.isNotEmpty()
			.jsonPath("$.holder.since")
			.isNotEmpty()
			.jsonPath("$.holder.remainingMs")
			.value(Integer.class, (remaining) -> assertThat(remaining).isBetween(1, 10_000));
		// The lease of another process is listed from its first renewal on.
		Awaitility.await()
			.untilAsserted(() -> second.get()
				.uri("/leases")
				.exchange()
				.expectBody()
				.jsonPath("$[?(@.job == 'inventory.scan')].remainingMs")
				.isNotEmpty());
		this.replicas.context(0).close();
		second.post().uri("/scans").exchange().expectStatus().isAccepted().expectHeader().location("/scans/last");
		TestReplicas.awaitScan(second, "ENDED");
	}

	@Test
	void replicasShareTheInspectionsOfAScan() {
		RestTestClient first = this.replicas.startWithoutSchedule("--inventory.scan-on-start=false",
				"--inventory.inspect-pause=1s", "--locket.worker.concurrency=2");
		this.replicas.startWithoutSchedule("--inventory.scan-on-start=false", "--inventory.inspect-pause=1s",
				"--locket.worker.concurrency=2");
		first.post().uri("/scans").exchange().expectStatus().isAccepted();
		Awaitility.await().untilAsserted(() -> assertThat(instances(first)).hasSize(2));
		TestReplicas.awaitScan(first, "ENDED");
		first.get()
			.uri("/scans/last")
			.exchange()
			.expectBody()
			.jsonPath("$.result.ran")
			.isEqualTo(4)
			.jsonPath("$.result.merged")
			.isEqualTo(24)
			.jsonPath("$.result.overlapped")
			.isEqualTo(0);
	}

	private static Set<String> instances(RestTestClient client) {
		String jobs = client.get()
			.uri("/jobs?state=RUNNING")
			.exchange()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		return Pattern.compile("\"instance\":\"([^\"]*)\"")
			.matcher(String.valueOf(jobs))
			.results()
			.map((result) -> result.group(1))
			.collect(Collectors.toSet());
	}

}
