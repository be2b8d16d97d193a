package io.locket.queue.redis;

import java.util.List;

import io.locket.queue.redis.format.BinaryReply;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link FastPathScript}.
 */
class FastPathScriptTests {

	private static final BinaryReply DONE = new BinaryReply(List.of("done"));

	private static final BinaryReply NOTHING = new BinaryReply(List.of());

	private final QueueCommands commands = mock(QueueCommands.class);

	private final FastPathScript script = new FastPathScript(this.commands, QueueScript.TURN);

	private int calls;

	private BinaryReply reply = DONE;

	FastPathScriptTests() {
		given(this.commands.runFastPath(any(), any(), any())).willAnswer((call) -> {
			this.calls++;
			return this.reply;
		});
	}

	@Test
	void scriptRunsEachTimeWhileItServes() {
		run(100);
		assertThat(this.calls).isEqualTo(100);
	}

	@Test
	void scriptThatDoesNothingRunsLessAndLessOften() {
		this.reply = NOTHING;
		run(1 + 1 + 1 + 3 + 1 + 7 + 1 + 15 + 1 + 31 + 1 + 63 + 1 + 127);
		assertThat(this.calls).isEqualTo(7);
		run(10 * 128);
		assertThat(this.calls).isEqualTo(17);
	}

	@Test
	void scriptThatServesAgainRunsEachTime() {
		this.reply = NOTHING;
		run(2 + 4 + 8);
		this.calls = 0;
		this.reply = DONE;
		run(10);
		assertThat(this.calls).isEqualTo(10);
	}

	@Test
	void replyToASentScriptCounts() {
		this.script.onReply(NOTHING);
		assertThat(this.script.skipsNext()).isTrue();
		assertThat(this.script.skipsNext()).isFalse();
		assertThat(this.script.onReply(DONE)).isSameAs(DONE);
		assertThat(this.script.skipsNext()).isFalse();
	}

	private void run(int times) {
		for (int i = 0; i < times; i++) {
			if (!this.script.skipsNext()) {
				assertThat(this.script.run("reserve jobs", List.of())).isSameAs(this.reply);
			}
		}
	}

}
