package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReleasingFuture} in a process that can start no thread.
 */
class ReleasingFutureTests {

	private final CompletableFuture<String> stage = new CompletableFuture<>();

	private final ReleasingFuture<String> future = new ReleasingFuture<>(this.stage,
			(error) -> CompletableFuture.completedFuture(true)) {

		@Override
		public Executor defaultExecutor() {
			return (task) -> {
				throw new OutOfMemoryError("unable to create native thread");
			};
		}

	};

	@Test
	void resultIsDelivered() {
		this.stage.complete("done");
		assertThat(this.future).isCompletedWithValue("done");
	}

	@Test
	void lossCancelsTheStage() {
		JobContext context = mock();
		willThrow(new LeaseLostException(new JobKey("job", "digest", "()"), LeaseLossCause.GONE)).given(context)
			.ensureLease();
		assertThatNoException().isThrownBy(() -> this.future.lose(context));
		assertThat(this.stage).isCancelled();
		assertThat(this.future).isCompletedExceptionally();
	}

}
