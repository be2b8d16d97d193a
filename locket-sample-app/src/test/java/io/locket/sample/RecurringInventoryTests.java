package io.locket.sample;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.event.ScheduleFired;
import io.locket.sample.artifact.TestJars;
import io.locket.schedule.leader.Leadership;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the schedules of the sample, over HTTP.
 */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class RecurringInventoryTests {

	private static final String[] EACH_SECOND = { "--inventory.scan-on-start=false",
			"--locket.schedules.inventory.every=1s" };

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
	void timesFireOnceOverTwoReplicasAlsoWhenTheirLeaderStops(CapturedOutput output) {
		RestTestClient first = this.replicas.start(EACH_SECOND);
		RestTestClient second = this.replicas.start(EACH_SECOND);
		List<Instant> fired = new CopyOnWriteArrayList<>();
		for (int replica = 0; replica < 2; replica++) {
			this.replicas.context(replica).addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> told
						&& told.getPayload() instanceof ScheduleFired firing) {
					fired.add(firing.time());
				}
			});
		}
		Awaitility.await().untilAsserted(() -> assertThat(fired).hasSizeGreaterThan(1));
		assertThat(leads(0)).isNotEqualTo(leads(1));
		int leader = leads(0) ? 0 : 1;
		RestTestClient left = (leader == 0) ? second : first;
		this.replicas.context(leader).close();
		int before = fired.size();
		Awaitility.await().untilAsserted(() -> assertThat(fired).hasSizeGreaterThan(before + 1));
		assertThat(leads(1 - leader)).isTrue();
		assertThat(fired).isSorted().doesNotHaveDuplicates();
		assertThat(output).containsPattern("Recurring scan inventory\\.\\d+");
		left.get()
			.uri("/leader")
			.exchange()
			.expectBody()
			.jsonPath("$.here")
			.isEqualTo(true)
			.jsonPath("$.term")
			.isNotEmpty();
		left.get()
			.uri("/schedules/inventory")
			.exchange()
			.expectBody()
			.jsonPath("$.every")
			.isEqualTo("1s")
			.jsonPath("$.last")
			.isNotEmpty()
			.jsonPath("$.firing.job")
			.isNotEmpty()
			.jsonPath("$.next")
			.isNotEmpty();
	}

	private boolean leads(int replica) {
		return this.replicas.context(replica).getBean(Leadership.class).isLeader();
	}

	@Test
	void scheduleIsPausedResumedAndTriggered(CapturedOutput output) {
		RestTestClient client = this.replicas.start("--inventory.scan-on-start=false");
		Awaitility.await()
			.untilAsserted(() -> client.get()
				.uri("/schedules")
				.exchange()
				.expectBody()
				.jsonPath("$[*].name")
				.isEqualTo(List.of("digest", "inventory")));
		client.post()
			.uri("/schedules/digest/pause")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.cron")
			.isEqualTo("0 0 6 * * *")
			.jsonPath("$.zone")
			.isEqualTo("Europe/Berlin")
			.jsonPath("$.paused")
			.isEqualTo(true)
			.jsonPath("$.next")
			.isEmpty();
		client.post()
			.uri("/schedules/digest/trigger")
			.exchange()
			.expectStatus()
			.isAccepted()
			.expectBody()
			.jsonPath("$.merged")
			.isEqualTo(false);
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("0 artifacts of 0 bytes"));
		client.post()
			.uri("/schedules/digest/resume")
			.exchange()
			.expectBody()
			.jsonPath("$.paused")
			.isEqualTo(false)
			.jsonPath("$.last")
			.isEmpty()
			.jsonPath("$.next")
			.isNotEmpty();
		for (String uri : List.of("/schedules/weekly/pause", "/schedules/weekly/resume", "/schedules/weekly/trigger")) {
			client.post().uri(uri).exchange().expectStatus().isNotFound();
		}
	}

	@Test
	void recurringScanLeavesTheFieldToTheOneThatRuns(CapturedOutput output) {
		RestTestClient client = this.replicas.start("--inventory.pause=10m", "--locket.schedules.inventory.every=30m");
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("holds its lease"));
		client.post().uri("/schedules/inventory/trigger").exchange().expectStatus().isAccepted();
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(output).containsPattern("No scan \\S+: another one runs, held by \\S+ \\["));
	}

}
