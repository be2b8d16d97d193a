package io.locket.redis.script;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LuaWords}.
 */
class LuaWordsTests {

	@Test
	void wordsAreReturnedInTheirOrder() {
		assertThat(words("local a_1 = b.c[2]")).containsExactly("local", "a_1", "b", "c", "2");
	}

	@Test
	void textWithoutWordsHasNone() {
		assertThat(words("")).isEmpty();
		assertThat(words(" = {}")).isEmpty();
	}

	@Test
	void contentOfTextsIsLeftOut() {
		assertThat(words("call('SET', a)..'b'")).containsExactly("call", "a");
	}

	@Test
	void textMayContainQuotesAndBackslashes() {
		assertThat(words("a('it\\'s', b, '\\\\', c)")).containsExactly("a", "b", "c");
	}

	@Test
	void quoteThatIsNotClosedInItsLineBeginsNoText() {
		assertThat(words("a -- Redis' time\nb('c')")).containsExactly("a", "Redis", "time", "b");
	}

	@Test
	void backslashAtTheEndBeginsNoText() {
		assertThat(words("a'\\")).containsExactly("a");
	}

	@Test
	void positionIsThatOfTheWord() {
		LuaWords words = new LuaWords("a = SIZE");
		assertThat(words.next()).isTrue();
		assertThat(words.isAssigned()).isTrue();
		assertThat(words.next()).isTrue();
		assertThat(words.isAssigned()).isFalse();
		assertThat("a = SIZE".substring(words.start(), words.end())).isEqualTo("SIZE").isEqualTo(words.word());
	}

	@Test
	void fieldIsAWordAfterADot() {
		LuaWords words = new LuaWords("a.b");
		assertThat(words.next()).isTrue();
		assertThat(words.isField()).isFalse();
		assertThat(words.next()).isTrue();
		assertThat(words.isField()).isTrue();
	}

	private static List<String> words(String text) {
		List<String> found = new ArrayList<>();
		LuaWords words = new LuaWords(text);
		while (words.next()) {
			found.add(words.word());
		}
		return found;
	}

}
