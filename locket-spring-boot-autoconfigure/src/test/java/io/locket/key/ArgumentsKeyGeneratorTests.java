package io.locket.key;

import java.lang.reflect.Method;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArgumentsKeyGenerator}.
 */
class ArgumentsKeyGeneratorTests {

	@Test
	void argumentsAreTheKey() throws Exception {
		Method method = String.class.getMethod("indexOf", String.class, int.class);
		assertThat(new ArgumentsKeyGenerator().generate(JobCall.of("job", method, "a", null))).containsExactly("a",
				null);
		assertThat(new ArgumentsKeyGenerator().generate(JobCall.of("job", method))).isEmpty();
	}

}
