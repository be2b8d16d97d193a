package io.locket.benchmarks.peer;

import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.benchmarks.redis.BenchmarkRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the peers that run in this JVM.
 */
class PeersTests {

	private static BenchmarkRedis redis;

	@BeforeAll
	static void startRedis() {
		redis = BenchmarkRedis.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	static Stream<Function<BenchmarkRedis, JobPeer>> peers() {
		return Stream.of(SpringIntegrationPeer::new, (server) -> new DbSchedulerPeer(), (server) -> new QuartzPeer(),
				(server) -> new JobRunrPeer());
	}

	@ParameterizedTest
	@MethodSource("peers")
	void peerRunsAllJobsInEachTurn(Function<BenchmarkRedis, JobPeer> factory) {
		try (JobPeer peer = factory.apply(redis)) {
			for (int turn = 0; turn < 2; turn++) {
				peer.prepare(40);
				peer.run(40);
			}
			assertThat(peer.measure(2, 10)).hasSize(2);
		}
	}

}
