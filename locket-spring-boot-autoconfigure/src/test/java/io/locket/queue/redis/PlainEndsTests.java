package io.locket.queue.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.locket.lease.redis.LeaseKeys;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainEnds}.
 */
class PlainEndsTests {

	private static final byte[] BEGIN = { 1, 7 };

	private static final String DIGEST = "0".repeat(32) + "f".repeat(32);

	private final PlainEnds ends = new PlainEnds(new QueueKeys(new LeaseKeys("ns", "{ns}:lease")));

	private final List<Object> arguments = new ArrayList<>();

	@Test
	void noEndsAreTwoEmptyArguments() {
		this.ends.add(List.of(), this.arguments);
		assertThat(this.arguments).containsExactly("", "");
	}

	@Test
	void endsAreGroupedByQueue() {
		this.ends.add(List.of(run("a", "low", 30, null, null), run("b", "high", 20, DIGEST, null),
				run("c", "low", 10, null, null)), this.arguments);
		assertThat(this.arguments).hasSize(2 + 2 * 3);
		assertThat(this.arguments.get(0)).isSameAs(BEGIN);
		assertThat(this.arguments.subList(2, 8)).containsExactly("b", "a", "c", "{ns}:lease:" + DIGEST, "", "");
		ByteBuffer summary = ByteBuffer.wrap((byte[]) this.arguments.get(1));
		assertThat(text(summary, summary.getShort())).isEqualTo("nonce");
		assertThat(summary.getShort()).isEqualTo((short) 3);
		assertThat(summary.getShort()).isEqualTo((short) 2);
		assertQueue(summary, "high", 1, 20);
		assertQueue(summary, "low", 2, 10);
		assertThat(summary.hasRemaining()).isFalse();
	}

	@Test
	void ticketsFollowIfThereAreAny() {
		this.ends.add(List.of(run("a", "low", 1, DIGEST, DIGEST), run("b", "low", 1, null, null)), this.arguments);
		assertThat(this.arguments.subList(6, 8)).containsExactly("f".repeat(32), "");
	}

	private static void assertQueue(ByteBuffer summary, String name, int count, long oldest) {
		assertThat(text(summary, summary.get())).isEqualTo(name);
		assertThat(summary.getShort()).isEqualTo((short) count);
		assertThat(summary.getShort() * (1L << 32) + summary.getInt()).isEqualTo(oldest);
	}

	private static String text(ByteBuffer summary, int size) {
		byte[] text = new byte[size];
		summary.get(text);
		return new String(text, StandardCharsets.UTF_8);
	}

	private static PlainRun run(String id, String queue, long enqueuedAt, String lockDigest, String ticketDigest) {
		return new PlainRun(id, "nonce", BEGIN, "job", queue, enqueuedAt, 40, lockDigest, ticketDigest);
	}

}
