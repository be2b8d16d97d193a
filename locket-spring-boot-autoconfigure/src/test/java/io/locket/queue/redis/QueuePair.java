package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;

import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two namespaces with the same jobs, and queues on them whose jobs are served by the fast
 * paths, and by the general scripts. Both have to store the same.
 */
final class QueuePair implements AutoCloseable {

	/**
	 * Queue on the first namespace, with all scripts.
	 */
	final QueueFixture fixture = QueueFixture.manual();

	/**
	 * Queue on the second namespace, with all scripts.
	 */
	final QueueFixture other = QueueFixture.manual();

	/**
	 * Queue on the first namespace whose fast paths have to serve each call.
	 */
	final QueueFixture fast;

	/**
	 * Queue on the second namespace without fast paths.
	 */
	final QueueFixture general;

	private final RecordComparison comparison = RecordComparison.on(this.fixture.redis);

	QueuePair() {
		this(QueueFixture.SETTINGS);
	}

	/**
	 * A pair whose queues with one kind of scripts have other settings.
	 */
	QueuePair(QueueSettings settings) {
		this.fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()), settings);
		this.general = this.other.with(GeneralScripts.of(QueueFixture.manualScripts()), settings);
		both((each) -> each.redis.opsForValue().set(each.name("test-now"), "1000000000000"));
	}

	/**
	 * Does the same on both namespaces.
	 */
	void both(Consumer<QueueFixture> action) {
		action.accept(this.fixture);
		action.accept(this.other);
	}

	void enqueue(NewJob... jobs) {
		both((each) -> each.queue.enqueue(List.of(jobs)));
	}

	void advance(Duration time) {
		both((each) -> each.advance(time));
	}

	/**
	 * Reserves jobs by the fast path and by the general script, and compares the replies
	 * and all that is stored.
	 */
	Reservation reserve(int slots, String... queues) {
		ReservationRequest request = QueueFixture.request(slots, queues);
		Reservation reservation = this.fast.queue.reserve(request);
		assertThat(reservation.jobs()).isEqualTo(this.general.queue.reserve(request).jobs());
		assertStoreIsSame();
		return reservation;
	}

	/**
	 * Hands out jobs by all scripts.
	 */
	List<ReservedJob> start(int count, String... queues) {
		ReservationRequest request = QueueFixture.request(count, queues);
		List<ReservedJob> started = this.fixture.queue.reserve(request).jobs();
		assertThat(started).hasSize(count).isEqualTo(this.other.queue.reserve(request).jobs());
		return started;
	}

	void assertStoreIsSame() {
		assertThat(stored(this.fixture, this.comparison::form)).isEqualTo(stored(this.other, this.comparison::form));
	}

	void assertRecordIsSame(String id) {
		assertThat(this.comparison.form(this.fixture.record(id)))
			.isEqualTo(this.comparison.form(this.other.record(id)));
	}

	/**
	 * Returns all keys of a namespace, with their values as hexadecimal digits.
	 */
	static Map<String, String> stored(QueueFixture fixture) {
		return stored(fixture, UnaryOperator.identity());
	}

	private static Map<String, String> stored(QueueFixture fixture, UnaryOperator<byte[]> records) {
		Map<String, String> stored = new TreeMap<>();
		for (String key : Objects.requireNonNull(fixture.redis.keys(fixture.name("*")))) {
			byte[] name = key.getBytes(StandardCharsets.UTF_8);
			UnaryOperator<byte[]> values = key.equals(fixture.name("jobs")) ? records : UnaryOperator.identity();
			stored.put(key.substring(fixture.name("").length()),
					fixture.redis.execute((RedisCallback<String>) (connection) -> {
						DataType type = Objects.requireNonNull(connection.keyCommands().type(name));
						return switch (type) {
							case STRING -> hex(fixture, connection.stringCommands().get(name));
							case HASH -> hash(fixture, connection.hashCommands().hGetAll(name), values);
							default -> connection.zSetCommands()
								.zRangeWithScores(name, 0, -1)
								.stream()
								.map((tuple) -> hex(fixture, tuple.getValue()) + '=' + tuple.getScore())
								.toList()
								.toString();
						};
					}));
		}
		// Counts the calls of the manual clock.
		stored.remove("test-calls");
		return stored;
	}

	private static String hash(QueueFixture fixture, Map<byte[], byte[]> hash, UnaryOperator<byte[]> values) {
		return new TreeMap<>(hash.entrySet()
			.stream()
			.collect(Collectors.toMap((entry) -> hex(fixture, entry.getKey()),
					(entry) -> hex(fixture, values.apply(entry.getValue())))))
			.toString();
	}

	private static String hex(QueueFixture fixture, byte[] value) {
		return HexFormat.of().formatHex(value).replace(HexFormat.of().formatHex(fixture.name("").getBytes()), "ns:");
	}

	/**
	 * Closes the queues, after a check of both namespaces.
	 */
	@Override
	public void close() {
		both((each) -> assertThat(each.store.verify()).isEmpty());
		this.general.close();
		this.fast.close();
		both(QueueFixture::close);
	}

}
