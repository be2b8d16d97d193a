package io.locket.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TagValues}.
 */
class TagValuesTests {

	private final TagValues values = new TagValues();

	@Test
	void valuesBeyondTheBoundShareOneAndThoseWithinItStay() {
		for (int i = 0; i < TagValues.MAX_VALUES; i++) {
			assertThat(this.values.bounded("job", "job-" + i)).isEqualTo("job-" + i);
		}
		assertThat(this.values.bounded("job", "one-more")).isEqualTo("(other)");
		assertThat(this.values.bounded("job", "job-0")).isEqualTo("job-0");
		assertThat(this.values.bounded("job", "one-more")).isEqualTo("(other)");
	}

	@Test
	void eachTagHasItsOwnBound() {
		IntStream.range(0, TagValues.MAX_VALUES + 1).forEach((i) -> this.values.bounded("job", "job-" + i));
		assertThat(this.values.bounded("queue", "default")).isEqualTo("default");
	}

	@Test
	void valueIsTheSameForAllThreadsForEver() throws Exception {
		int names = TagValues.MAX_VALUES + 200;
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			Callable<List<String>> ask = () -> IntStream.range(0, names)
				.mapToObj((i) -> this.values.bounded("job", "job-" + i))
				.toList();
			List<List<String>> replies = new ArrayList<>();
			for (Future<List<String>> reply : threads.invokeAll(List.of(ask, ask, ask, ask))) {
				replies.add(reply.get());
			}
			assertThat(replies).containsOnly(ask.call());
			Set<String> used = new TreeSet<>(replies.get(0));
			assertThat(used).hasSize(TagValues.MAX_VALUES + 1).contains("(other)");
		}
		finally {
			threads.shutdownNow();
		}
	}

}
