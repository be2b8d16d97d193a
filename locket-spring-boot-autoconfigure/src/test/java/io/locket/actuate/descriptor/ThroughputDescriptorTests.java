package io.locket.actuate.descriptor;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.actuate.descriptor.ThroughputDescriptor.QueueThroughputDescriptor;
import io.locket.actuate.descriptor.ThroughputDescriptor.SampleDescriptor;
import io.locket.queue.QueueThroughput;
import io.locket.queue.ThroughputSample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ThroughputDescriptor}.
 */
class ThroughputDescriptorTests {

	private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

	@Test
	void eachNumberIsTheSumOverAllQueuesInItsOwnComponent() {
		ThroughputDescriptor throughput = ThroughputDescriptor
			.of(List.of(sample(0, new QueueThroughput("mail", 1, 2, 3, 4, 5, 6, 7, 8),
					new QueueThroughput("", 10, 20, 30, 40, 50, 60, 70, 80))));
		assertThat(throughput.samples())
			.containsExactly(new SampleDescriptor(START, START.plusSeconds(60), 11, 22, 33, 44, 55, 66, 77, 88));
	}

	@Test
	void queuesWithTheMostEventsComeFirstEachWithANumberForEachSample() {
		ThroughputDescriptor throughput = ThroughputDescriptor
			.of(List.of(sample(0, queue("few", 1), queue("many", 2)), sample(1, queue("many", 9), queue("also", 1))));
		assertThat(throughput.queues()).containsExactly(
				new QueueThroughputDescriptor("many", numbers(2, 9), numbers(4, 18), numbers(6, 27)),
				new QueueThroughputDescriptor("also", numbers(0, 1), numbers(0, 2), numbers(0, 3)),
				new QueueThroughputDescriptor("few", numbers(1, 0), numbers(2, 0), numbers(3, 0)));
	}

	@Test
	void sumOfOtherQueuesIsNoQueue() {
		assertThat(ThroughputDescriptor.of(List.of(sample(0, queue("", 5)))).queues()).isEmpty();
	}

	@Test
	void onlyTheFirstHundredQueuesAreListed() {
		QueueThroughput[] queues = IntStream.rangeClosed(1, 101)
			.mapToObj((i) -> queue("queue-" + i, i))
			.toArray(QueueThroughput[]::new);
		assertThat(ThroughputDescriptor.of(List.of(sample(0, queues))).queues()).hasSize(100)
			.extracting(QueueThroughputDescriptor::queue)
			.startsWith("queue-101")
			.doesNotContain("queue-1");
	}

	private static ThroughputSample sample(int minute, QueueThroughput... queues) {
		Instant from = START.plusSeconds(60L * minute);
		return new ThroughputSample(from, from.plusSeconds(60), List.of(queues));
	}

	private static QueueThroughput queue(String name, long accepted) {
		return new QueueThroughput(name, accepted, 2 * accepted, 3 * accepted, 0, 0, 0, 0, 0);
	}

	private static List<Long> numbers(long... numbers) {
		return Arrays.stream(numbers).boxed().toList();
	}

}
