package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.locket.testing.ChildJvm;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lifetime of processes without a web server.
 */
@Tag("scale")
class ProcessLifeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int SIGTERM = 143;

	private final String namespace = RedisServer.newNamespace();

	@Test
	void producerEndsWhenItsMainEnds() {
		try (ChildJvm producer = start()) {
			producer.awaitLine("enqueued Accepted", PATIENCE);
			assertThat(producer.awaitExit(PATIENCE)).isZero();
		}
	}

	@Test
	void processThatLeadsLivesUntilItIsStoppedAndResigns() {
		try (ChildJvm leader = start("--locket.schedules.often.job=report", "--locket.schedules.often.every=1s")) {
			leader.awaitLine("enqueued Accepted", PATIENCE);
			leader.awaitLine("LeadershipGained", PATIENCE);
			assertThat(leader.isAlive()).isTrue();
			ProcessHandle.of(leader.pid()).orElseThrow().destroy();
			assertThat(leader.awaitLine("LeadershipLost", PATIENCE)).contains("resigned=true");
			assertThat(leader.awaitExit(PATIENCE)).isEqualTo(SIGTERM);
		}
	}

	@Test
	void processThatWorksLivesUntilItIsStopped() {
		try (ChildJvm worker = start("--locket.worker.queues=default")) {
			worker.awaitLine("enqueued Accepted", PATIENCE);
			worker.awaitLine("report written", PATIENCE);
			assertThat(worker.isAlive()).isTrue();
			ProcessHandle.of(worker.pid()).orElseThrow().destroy();
			assertThat(worker.awaitExit(PATIENCE)).isEqualTo(SIGTERM);
		}
	}

	private ChildJvm start(String... args) {
		List<String> all = new ArrayList<>(List.of("--locket.namespace=" + this.namespace));
		Arrays.stream(RedisServer.shared().properties()).forEach((property) -> all.add("--" + property));
		all.addAll(List.of(args));
		return ChildJvm.start(ApplicationProcess.class, all.toArray(String[]::new));
	}

}
