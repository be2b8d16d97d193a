package io.locket.queue.redis.turn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainEnds}.
 */
class PlainEndsTests {

	private static final byte[] BEGIN = { 1, 7 };

	private static final String DIGEST = "0f".repeat(16);

	private final PlainEnds ends = new PlainEnds("{ns}:lease");

	private final List<Object> arguments = new ArrayList<>();

	@Test
	void noEndsAreAnEmptyArgument() {
		this.ends.add(List.of(turn(), turn()), this.arguments);
		assertThat(this.arguments).containsExactly("");
	}

	@Test
	void endsAreGroupedByQueue() {
		this.ends.add(List.of(turn(run("a", "low", 30, null, null), run("b", "high", 20, DIGEST, null),
				run("c", "low", 10, null, null))), this.arguments);
		assertThat(this.arguments).hasSize(1 + 2 * 3);
		assertThat(this.arguments.subList(1, 7)).containsExactly("b", "a", "c", "{ns}:lease:" + DIGEST, "", "");
		ByteBuffer summary = ByteBuffer.wrap((byte[]) this.arguments.get(0));
		assertNumbers(summary, 1, 3);
		assertGroup(summary, BEGIN, 2);
		assertQueue(summary, "high", 1, 20, 0);
		assertQueue(summary, "low", 2, 10, 0);
		assertThat(summary.hasRemaining()).isFalse();
	}

	@Test
	void endsWithDifferentMinimumHoldsAreAsThoseOfSeveralQueues() {
		this.ends.add(
				List.of(turn(holding("a", "low", 30, 9000), holding("b", "low", 20, 5), holding("c", "low", 10, 9000))),
				this.arguments);
		assertThat(this.arguments.subList(1, 4)).containsExactly("b", "a", "c");
		ByteBuffer summary = ByteBuffer.wrap((byte[]) this.arguments.get(0));
		assertNumbers(summary, 1, 3);
		assertGroup(summary, BEGIN, 2);
		assertQueue(summary, "low", 1, 20, 5);
		assertQueue(summary, "low", 2, 10, 9000);
		assertThat(summary.hasRemaining()).isFalse();
	}

	@Test
	void endsOfSeveralTurnsAreGroupedByTheBeginningOfTheirRecords() {
		PlainRun other = new PlainRun("b", "run:b:nonce", "nonce", new byte[] { 1, 8 }, "job", "low", 20, 40, null,
				null, 0);
		this.ends.add(List.of(turn(run("a", "low", 30, null, null)), turn(other), turn(),
				turn(run("c", "low", 10, null, null))), this.arguments);
		assertThat(this.arguments.subList(1, 4)).containsExactly("a", "c", "b");
		ByteBuffer summary = ByteBuffer.wrap((byte[]) this.arguments.get(0));
		assertNumbers(summary, 2, 3);
		assertGroup(summary, BEGIN, 1);
		assertQueue(summary, "low", 2, 10, 0);
		assertGroup(summary, other.begin(), 1);
		assertQueue(summary, "low", 1, 20, 0);
		assertThat(summary.hasRemaining()).isFalse();
	}

	@Test
	void ticketsFollowIfThereAreAny() {
		this.ends.add(List.of(turn(run("a", "low", 1, DIGEST, DIGEST)), turn(run("b", "low", 1, null, null))),
				this.arguments);
		assertThat(this.arguments.subList(5, 7)).containsExactly(DIGEST, "");
	}

	private static PlainTurn turn(PlainRun... runs) {
		return new PlainTurn(List.of(runs), null);
	}

	private static void assertNumbers(ByteBuffer summary, int groups, int runs) {
		assertThat(summary.getShort()).isEqualTo((short) groups);
		assertThat(summary.getShort()).isEqualTo((short) runs);
	}

	private static void assertGroup(ByteBuffer summary, byte[] begin, int queues) {
		byte[] bytes = new byte[summary.getShort()];
		summary.get(bytes);
		assertThat(bytes).isEqualTo(begin);
		assertThat(text(summary, summary.getShort())).isEqualTo("nonce");
		assertThat(summary.getShort()).isEqualTo((short) queues);
	}

	private static void assertQueue(ByteBuffer summary, String name, int count, long oldest, long hold) {
		assertThat(text(summary, summary.get())).isEqualTo(name);
		assertThat(summary.getShort()).isEqualTo((short) count);
		assertThat(summary.getShort() * (1L << 32) + summary.getInt()).isEqualTo(oldest);
		assertThat(summary.get() * (1L << 32) + summary.getInt()).isEqualTo(hold);
	}

	private static String text(ByteBuffer summary, int size) {
		byte[] text = new byte[size];
		summary.get(text);
		return new String(text, StandardCharsets.UTF_8);
	}

	private static PlainRun run(String id, String queue, long enqueuedAt, String lockDigest, String ticketDigest) {
		return new PlainRun(id, "run:" + id + ":nonce", "nonce", BEGIN, "job", queue, enqueuedAt, 40, lockDigest,
				ticketDigest, 0);
	}

	private static PlainRun holding(String id, String queue, long enqueuedAt, long hold) {
		return new PlainRun(id, "run:" + id + ":nonce", "nonce", BEGIN, "job", queue, enqueuedAt, 40, DIGEST, null,
				hold);
	}

}
