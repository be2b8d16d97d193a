package io.locket.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScriptReply}.
 */
class ScriptReplyTests {

	private static final String NESTED = "*6\r\n:1\r\n*3\r\n$1\r\na\r\n*1\r\n:2\r\n*0\r\n$0\r\n\r\n+OK\r\n$-1\r\n:3\r\n";

	private static final String NESTED_TEXT = "[1, [a, [2], []], , OK, null, 3]";

	private final ScriptReply reply = new ScriptReply();

	@Test
	void nestedArraysAreRead() {
		this.reply.begin();
		assertThat(decode(NESTED)).isTrue();
		assertThat(text(this.reply.get())).isEqualTo(NESTED_TEXT);
	}

	@Test
	void replyThatFollowsAPartOfAnotherOneIsWhole() {
		for (int part = 0; part < NESTED.length(); part++) {
			this.reply.begin();
			assertThat(decode(NESTED.substring(0, part))).isFalse();
			this.reply.begin();
			assertThat(decode(NESTED)).isTrue();
			assertThat(text(this.reply.get())).as("after %d bytes", part).isEqualTo(NESTED_TEXT);
		}
	}

	@Test
	void replyThatBeginsAgainIsThatOfARepeatedCommand() {
		assertThat(this.reply.isRepeated()).isFalse();
		this.reply.begin();
		assertThat(this.reply.isRepeated()).isFalse();
		this.reply.begin();
		assertThat(this.reply.isRepeated()).isTrue();
		assertThat(decode("-NO\r\n")).isTrue();
		this.reply.begin();
		assertThat(this.reply.isRepeated()).isTrue();
	}

	/**
	 * The driver deletes the error before it sends the command to the other node.
	 */
	@Test
	void commandThatANodeRefersToAnotherOneIsNotRepeated() {
		this.reply.begin();
		assertThat(decode("-MOVED 1 127.0.0.1:6379\r\n")).isTrue();
		this.reply.setError((String) null);
		this.reply.begin();
		assertThat(this.reply.isRepeated()).isFalse();
	}

	@Test
	void errorOfAnEarlierReplyIsForgotten() {
		this.reply.begin();
		assertThat(decode("-NO\r\n")).isTrue();
		assertThat(this.reply.getError()).isEqualTo("NO");
		this.reply.begin();
		assertThat(this.reply.hasError()).isFalse();
		assertThat(this.reply.get()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { ":7|[7]", "$1^7|[7]", "+7|[7]", ",1.5|[1.5]", "$-1|[null]", "_|[null]", "%1^:1^:2|[1, 2]" })
	void otherRepliesAreRead(String bytes, String text) {
		this.reply.begin();
		assertThat(decode(bytes.replace("^", "\r\n") + "\r\n")).isTrue();
		assertThat(text(this.reply.get())).isEqualTo(text);
	}

	/**
	 * The text of the arguments is for logs, which may be written while the reply is
	 * there.
	 */
	@Test
	void replyStaysWhileItsArgumentsAreDescribed() {
		ScriptArguments arguments = new ScriptArguments(this.reply);
		arguments.add("digest").add(0);
		this.reply.begin();
		assertThat(decode(":7\r\n")).isTrue();
		assertThat(arguments).hasToString("digest 0");
		assertThat(text(this.reply.get())).isEqualTo("[7]");
	}

	private boolean decode(String bytes) {
		ByteBuf buffer = Unpooled.copiedBuffer(bytes, StandardCharsets.UTF_8);
		return new RedisStateMachine().decode(buffer, this.reply);
	}

	private static String text(Object value) {
		if (value instanceof List<?> list) {
			List<String> texts = new ArrayList<>();
			list.forEach((one) -> texts.add((one != null) ? text(one) : "null"));
			return texts.toString();
		}
		return (value instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
	}

}
