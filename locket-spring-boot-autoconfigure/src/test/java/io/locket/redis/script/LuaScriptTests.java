package io.locket.redis.script;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LuaScript}.
 */
class LuaScriptTests {

	private final AtomicInteger compositions = new AtomicInteger();

	@Test
	void textIsComposedOnceAtTheFirstUse() {
		LuaScript script = new LuaScript(() -> "return " + this.compositions.incrementAndGet());
		assertThat(this.compositions).hasValue(0);
		assertThat(script.getSha1()).isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
		assertThat(script.getScriptAsString()).isEqualTo("return 1");
		assertThat(script.getSha1()).isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
		assertThat(this.compositions).hasValue(1);
	}

	@Test
	void compositionThatFailedIsRepeated() {
		LuaScript script = new LuaScript(() -> {
			if (this.compositions.incrementAndGet() == 1) {
				throw new IllegalStateException("expected");
			}
			return "return 2";
		});
		assertThatIllegalStateException().isThrownBy(script::getSha1).withMessage("expected");
		assertThat(script.getScriptAsString()).isEqualTo("return 2");
	}

}
