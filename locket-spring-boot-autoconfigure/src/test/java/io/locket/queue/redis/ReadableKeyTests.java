package io.locket.queue.redis;

import java.util.List;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.lease.HeldLease;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.TestJob;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the readable keys of queued jobs, which records do not repeat if they are the
 * arguments.
 */
class ReadableKeyTests {

	private final QueueFixture fixture = QueueFixture.create();

	private final RedisLeaseService leases = this.fixture.leases();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.leases.close();
		this.fixture.close();
	}

	static Stream<Arguments> keys() {
		return Stream.of(Arguments.of("short", array("x".repeat(20)), true),
				Arguments.of("as long as a readable key", array("x".repeat(196)), true),
				Arguments.of("cut by one character", array("x".repeat(197)), true),
				Arguments.of("cut", array("x".repeat(5_000)), true),
				Arguments.of("short, more bytes than characters", array("\u00fc".repeat(190)), true),
				Arguments.of("cut, not ASCII", array("\u00fc".repeat(300)), false),
				Arguments.of("cut within a pair", array("\ud83d\ude00".repeat(150)), false),
				Arguments.of("another value", "[\"another\"]", false));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("keys")
	void recordAndHolderHaveTheReadableKey(String name, String arguments, boolean derived) {
		JobKey key = name.startsWith("another") ? QueueFixture.key("key")
				: QueueFixture.JOB_KEYS.keyOf("job", List.of(arguments.substring(2, arguments.length() - 2)), false);
		check(job(arguments, key), derived);
	}

	@ParameterizedTest
	@MethodSource("masked")
	void maskedKeyIsStored(String arguments) {
		check(job(arguments, QueueFixture.JOB_KEYS.keyOf("job", List.of("secret"), true)), false);
	}

	static Stream<String> masked() {
		return Stream.of(array("secret"), array("secret".repeat(100)));
	}

	private static String array(String text) {
		return "[\"" + text + "\"]";
	}

	private static NewJob job(String arguments, JobKey key) {
		return TestJob.of("a").arguments(arguments).with(LockStrategy.WHILE_EXECUTING, key).build();
	}

	private void check(NewJob job, boolean derived) {
		JobKey key = job.key();
		this.fixture.queue.enqueue(job);
		assertThat(RecordBytes.of(this.fixture.record("a")).text("tx").isEmpty()).isEqualTo(derived);
		assertThat(this.fixture.store.find("a")).get()
			.satisfies((record) -> assertThat(record.key().text()).isEqualTo(key.text()));
		this.fixture.reserve(1, "q");
		assertThat(this.leases.find(key)).get().extracting(HeldLease::key).isEqualTo(key.text());
	}

}
