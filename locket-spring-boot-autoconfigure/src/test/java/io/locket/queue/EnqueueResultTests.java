package io.locket.queue;

import java.util.concurrent.CompletableFuture;

import io.locket.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EnqueueResult}.
 */
class EnqueueResultTests {

	@Test
	void jobIsTheOneInTheQueue() {
		assertThat(new EnqueueResult.Accepted("a").jobId()).hasValue("a");
		assertThat(new EnqueueResult.Replaced("b").jobId()).hasValue("b");
		assertThat(new EnqueueResult.Duplicate("c", JobState.READY).jobId()).hasValue("c");
	}

	@Test
	void thereIsNoJobWhereNoneIsKnown() {
		assertThat(new EnqueueResult.Duplicate(null, null).jobId()).isEmpty();
		assertThat(new EnqueueResult.Refused("closed").jobId()).isEmpty();
		EnqueueResult deferred = new EnqueueResult.Deferred("d", new CompletableFuture<>());
		assertThat(deferred.jobId()).isEmpty();
		assertThat(deferred).hasToString("Deferred[id=d]");
	}

}
