package io.locket.aop;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CapturedContext}.
 */
@ExtendWith(OutputCaptureExtension.class)
class CapturedContextTests {

	private final ThreadAccessor accessor = new ThreadAccessor(Thread.currentThread());

	@AfterEach
	void forget() {
		ContextRegistry.getInstance().removeThreadLocalAccessor(ThreadAccessor.KEY);
	}

	@Test
	void whatTheThreadHasIsCaptured() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(this.accessor);
		assertThat(CapturedContext.ofThread().<String>get(ThreadAccessor.KEY)).isEqualTo("value");
	}

	@Test
	void accessorThatFailsIsLoggedOnceAndLeavesTheContextEmpty(CapturedOutput output) {
		this.accessor.fails = true;
		ContextRegistry.getInstance().registerThreadLocalAccessor(this.accessor);
		assertThat(CapturedContext.ofThread().isEmpty()).isTrue();
		assertThat(CapturedContext.ofThread().isEmpty()).isTrue();
		assertThat(output).containsOnlyOnce("Fix the ThreadLocalAccessor that failed").doesNotContain("onErrorDropped");
	}

	/**
	 * Accessor with a value for one thread only.
	 */
	private static final class ThreadAccessor implements ThreadLocalAccessor<String> {

		static final String KEY = "locket.test";

		private final Thread thread;

		private boolean fails;

		ThreadAccessor(Thread thread) {
			this.thread = thread;
		}

		@Override
		public Object key() {
			return KEY;
		}

		@Override
		public @Nullable String getValue() {
			if (Thread.currentThread() != this.thread) {
				return null;
			}
			if (this.fails) {
				throw new IllegalStateException("an accessor that fails");
			}
			return "value";
		}

		@Override
		public void setValue(String value) {
		}

		@Override
		public void setValue() {
		}

	}

}
