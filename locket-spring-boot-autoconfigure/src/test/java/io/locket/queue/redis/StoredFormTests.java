package io.locket.queue.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.TestJob;
import io.locket.queue.redis.format.CountsFormat;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that hold the stored form of version 1 to files that were written by the scripts.
 * A file of a version changes only in a release that requires an empty namespace.
 * {@code -Dlocket.stored-form=directory} writes those of a new version.
 */
class StoredFormTests {

	private static final Instant NOW = Instant.ofEpochMilli(1_000_000_000_000L);

	private static final List<String> IDS = List.of("ready", "plain", "running", "retry", "dead", "succeeded");

	private final QueueFixture fixture = QueueFixture.manual();

	private final RecordFormat format = new RecordFormat();

	private final JsonMapper mapper = JsonMapper.builder().build();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void scriptsWriteWhatTheyWrote() throws IOException {
		fill();
		for (String id : IDS) {
			compare("record-v1-" + id, this.fixture.record(id));
		}
		compare("counters-v1", this.fixture.field("state", "q:default"));
		compare("poller-v1", this.fixture.field("state", "w:poller"));
	}

	private static void compare(String file, byte[] bytes) throws IOException {
		String directory = System.getProperty("locket.stored-form");
		if (directory != null) {
			Files.writeString(Path.of(directory, file + ".hex"), HexFormat.of().formatHex(bytes) + "\n");
		}
		else {
			assertThat(HexFormat.of().formatHex(bytes)).as(file).isEqualTo(hex(file));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "running", "retry", "dead", "succeeded" })
	void fieldsAreReadByTheirPlaces(String id) throws IOException {
		byte[] golden = golden("record-v1-" + id);
		assertThat(RecordBytes.of(golden).bytes()).isEqualTo(golden);
		assertThat(RecordBytes.of(golden).text("s")).isEqualTo(id);
		JobRecord record = this.format.read(id, golden);
		assertThat(record.id()).isEqualTo(id);
		assertThat(record.job()).isEqualTo("job");
		assertThat(record.queue()).isEqualTo("default");
		assertThat(record.arguments()).isEqualTo("[\"" + id + "\",\"\u00fc\"]");
		assertThat(record.enqueuedAt()).isEqualTo(NOW);
		assertThat(record.retries()).isEqualTo(3);
		assertThat(record.leaseFor()).isEqualTo(Duration.ofSeconds(35));
		assertThat(record.trace()).isEqualTo("00-trace-01");
	}

	@Test
	void readyJobIsRead() throws IOException {
		JobRecord ready = read("ready");
		assertThat(ready.state()).isEqualTo(JobState.READY);
		assertThat(ready.key()).isEqualTo(QueueFixture.key("ready"));
		assertThat(ready.key().text()).isEqualTo(QueueFixture.key("ready").text());
		assertThat(ready.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
		assertThat(ready.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
		assertThat(ready.startedAt()).isNull();
		RecordBytes bytes = RecordBytes.of(golden("record-v1-ready"));
		assertThat(bytes.number("u")).isEqualTo(NOW.plus(Duration.ofHours(1)).toEpochMilli());
		assertThat(bytes.number("uf")).isEqualTo(3_600_000);
		assertThat(bytes.number("h")).isEqualTo(2_000);
	}

	/**
	 * Checks a record without a head and without options.
	 */
	@Test
	void plainJobIsRead() throws IOException {
		byte[] golden = golden("record-v1-plain");
		assertThat(RecordBytes.of(golden).bytes()).isEqualTo(golden);
		JobRecord plain = read("plain");
		assertThat(plain.state()).isEqualTo(JobState.READY);
		assertThat(plain.key()).isEqualTo(QueueFixture.key("plain"));
		assertThat(plain.key().text()).isEqualTo(QueueFixture.key("plain").text());
		assertThat(plain.arguments()).isEqualTo("[\"plain\"]");
		assertThat(plain.retries()).isEqualTo(3);
		assertThat(plain.trace()).isNull();
	}

	@Test
	void runningJobIsRead() throws IOException {
		JobRecord running = read("running");
		assertThat(running.state()).isEqualTo(JobState.RUNNING);
		assertThat(running.startedAt()).isEqualTo(NOW);
		assertThat(running.instance()).isEqualTo("test/1/a");
		assertThat(running.progress()).isEqualTo(new JobProgress(3, 7, "so far", NOW));
		assertThat(this.format.readStored("running", golden("record-v1-running")).keyLease()).isTrue();
		assertThat(this.format.readStored("running", golden("record-v1-running")).nonce()).isEqualTo("request-running");
	}

	@Test
	void jobThatWaitsForARetryIsRead() throws IOException {
		JobRecord retry = read("retry");
		assertThat(retry.state()).isEqualTo(JobState.RETRY);
		assertThat(retry.startAt()).isEqualTo(NOW.plusSeconds(50));
		assertThat(retry.attempt()).isOne();
		assertThat(retry.lastError()).isEqualTo("it broke \u00fc");
		assertThat(retry.retryReason()).isEqualTo(RetryReason.FAILED);
	}

	@Test
	void endedJobsAreRead() throws IOException {
		assertThat(read("dead").state()).isEqualTo(JobState.DEAD);
		assertThat(read("dead").endedAt()).isEqualTo(NOW);
		assertThat(read("dead").lastError()).isEqualTo("it broke");
		assertThat(read("succeeded").state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(read("succeeded").endedAt()).isEqualTo(NOW);
		assertThat(read("succeeded").lastError()).isNull();
	}

	@Test
	void countersAreRead() throws IOException {
		QueueCounts counts = CountsFormat.read("default", golden("counters-v1"));
		assertThat(counts.accepted()).isEqualTo(7);
		assertThat(counts.deadLetters()).isOne();
		assertThat(counts.in(JobState.READY)).isEqualTo(2);
		for (JobState state : Set.of(JobState.RUNNING, JobState.DEAD, JobState.SUCCEEDED)) {
			assertThat(counts.in(state)).as(state.name()).isOne();
		}
		assertThat(counts.in(JobState.RETRY)).isEqualTo(2);
		assertThat(CountsFormat.asides(golden("counters-v1"))).containsExactly("fresh");
		assertThat(CounterBytes.of(golden("counters-v1")).bytes()).isEqualTo(golden("counters-v1"));
	}

	@Test
	void pollerIsRead() throws IOException {
		assertThat(golden("poller-v1"))
			.isEqualTo(PollerBytes.of(NOW.toEpochMilli(), "request-aside", "test/1/a", "aside"));
	}

	@Test
	void scriptsReadWhatTheyWroteAndWriteItAgain() throws IOException {
		for (String id : IDS) {
			this.fixture.record(id, golden("record-v1-" + id));
		}
		this.fixture.field("state", "q:default", golden("counters-v1"));
		this.fixture.field("state", "w:poller", golden("poller-v1"));
		try (QueueExtension extension = this.fixture.extension()) {
			List<Object> args = new ArrayList<>(List.of("default", "w:poller"));
			args.addAll(IDS);
			List<Object> replies = extension.run("rewrite",
					extension.script(new ClassPathResource("rewrite.lua.txt", StoredFormTests.class)), args);
			for (int i = 0; i < IDS.size(); i++) {
				assertSame(RecordBytes.of(golden("record-v1-" + IDS.get(i))), replies.get(i).toString());
			}
		}
		RecordComparison comparison = RecordComparison.on(this.fixture.redis);
		for (String id : IDS) {
			assertThat(comparison.form(this.fixture.record(id))).as(id)
				.isEqualTo(comparison.form(golden("record-v1-" + id)));
		}
		assertThat(this.fixture.field("state", "q:default")).isEqualTo(golden("counters-v1"));
		assertThat(this.fixture.field("state", "w:poller")).isEqualTo(golden("poller-v1"));
	}

	/**
	 * Compare what a script reads of a record with its bytes. Zeros and empty texts are
	 * absent there.
	 */
	private void assertSame(RecordBytes record, String json) {
		JsonNode told = this.mapper.readTree(json);
		for (String name : record.names()) {
			if (record.isRare(name)) {
				assertThat(told.path(name).toString()).as(name).isEqualTo(record.json(name));
			}
			else if (record.isNumber(name)) {
				assertThat(told.path(name).asLong(0)).as(name).isEqualTo(record.number(name));
			}
			else {
				assertThat(told.path(name).asString("")).as(name).isEqualTo(record.text(name));
			}
		}
		assertThat(told.path("body").asString()).isEqualTo(record.body());
	}

	/**
	 * A job in each of some states, always the same.
	 */
	private void fill() {
		this.fixture.redis.opsForValue().set(this.fixture.name("fence"), "5000000000000000");
		for (String id : List.of("succeeded", "dead", "retry", "running")) {
			this.fixture.queue.enqueue(job(id, LockStrategy.WHILE_EXECUTING, null, Duration.ZERO));
			ReservedJob job = take(id);
			switch (id) {
				case "succeeded" -> end(RunEnd.succeeded(job));
				case "dead" -> end(RunEnd.dead(job, "it broke"));
				case "retry" -> end(RunEnd.retry(job, Duration.ofSeconds(50), "it broke \u00fc"));
				default -> this.fixture.queue
					.progress(List.of(new RunProgress(new RunToken(id, job.token()), 3, 7, "so far")));
			}
		}
		this.fixture.queue.enqueue(TestJob.of("aside").named("fresh").in("default").build());
		end(RunEnd.unknown(take("aside"), "unknown"));
		this.fixture.queue
			.enqueue(job("ready", LockStrategy.UNTIL_EXECUTED, Duration.ofHours(1), Duration.ofSeconds(2)));
		this.fixture.queue.enqueue(QueueFixture.job("plain", LockStrategy.UNTIL_EXECUTED, "plain"));
		this.fixture.queue.reserve(request("ready", 0));
	}

	private static NewJob job(String id, LockStrategy lock, Duration uniqueFor, Duration holdAtLeast) {
		NewJob job = QueueFixture.job(id, lock, id);
		return job.copy()
			.id(id)
			.arguments("[\"" + id + "\",\"\u00fc\"]")
			.unique(lock, job.key(), uniqueFor)
			.onConflict((lock == LockStrategy.UNTIL_EXECUTED) ? ConflictStrategy.RESCHEDULE : ConflictStrategy.PARK)
			.holdAtLeast(holdAtLeast)
			.retries(3)
			.trace("00-trace-01")
			.build();
	}

	private ReservedJob take(String id) {
		return this.fixture.queue.reserve(request(id, 1)).jobs().get(0);
	}

	private static ReservationRequest request(String id, int slots) {
		return new ReservationRequest("request-" + id, "poller", "test/1/a", "thread-1",
				List.of(new QueueLimit("default", 0)), slots);
	}

	private void end(RunEnd end) {
		this.fixture.queue.settle(List.of(end), null);
	}

	private JobRecord read(String id) throws IOException {
		return this.format.read(id, golden("record-v1-" + id));
	}

	private static byte[] golden(String file) throws IOException {
		return HexFormat.of().parseHex(hex(file));
	}

	private static String hex(String file) throws IOException {
		return new ClassPathResource(file + ".hex", StoredFormTests.class).getContentAsString(StandardCharsets.US_ASCII)
			.strip();
	}

}
