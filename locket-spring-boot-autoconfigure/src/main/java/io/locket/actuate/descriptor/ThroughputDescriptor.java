package io.locket.actuate.descriptor;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.locket.queue.QueueThroughput;
import io.locket.queue.ThroughputSample;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The counts of the last minutes.
 *
 * @param samples the samples over all queues, the earliest first
 * @param queues the queues with the most events, each with a number for each sample
 */
public record ThroughputDescriptor(List<SampleDescriptor> samples,
		List<QueueThroughputDescriptor> queues) implements OperationResponseBody {

	/**
	 * Describes samples.
	 * @param samples the samples
	 * @return the descriptor
	 */
	public static ThroughputDescriptor of(List<ThroughputSample> samples) {
		Map<String, QueueThroughput> totals = samples.stream()
			.flatMap((sample) -> sample.queues().stream())
			.filter((queue) -> !queue.queue().isEmpty())
			.collect(Collectors.toMap(QueueThroughput::queue, (queue) -> queue, QueueThroughput::plus));
		List<QueueThroughputDescriptor> queues = totals.values()
			.stream()
			.sorted(Comparator.comparingLong(QueueThroughput::sum).reversed().thenComparing(QueueThroughput::queue))
			.limit(ThroughputSample.MAX_QUEUES)
			.map((queue) -> QueueThroughputDescriptor.of(queue.queue(), samples))
			.toList();
		return new ThroughputDescriptor(samples.stream().map(SampleDescriptor::of).toList(), queues);
	}

	/**
	 * The numbers of events of all queues between two instants.
	 *
	 * @param from the instant at which the sample begins, by the clock of the store
	 * @param to the instant at which it ends
	 * @param accepted the number of accepted jobs
	 * @param succeeded the number of jobs that succeeded
	 * @param failedAttempts the number of failed attempts
	 * @param dead the number of jobs whose last attempt failed
	 * @param discarded the number of discarded jobs
	 * @param superseded the number of superseded jobs
	 * @param cancelled the number of cancelled jobs
	 * @param removed the number of jobs removed with their queue
	 */
	public record SampleDescriptor(Instant from, Instant to, long accepted, long succeeded, long failedAttempts,
			long dead, long discarded, long superseded, long cancelled, long removed) {

		static SampleDescriptor of(ThroughputSample sample) {
			QueueThroughput total = sample.total();
			return new SampleDescriptor(sample.from(), sample.to(), total.accepted(), total.succeeded(),
					total.failedAttempts(), total.dead(), total.discarded(), total.superseded(), total.cancelled(),
					total.removed());
		}

	}

	/**
	 * The numbers of events of a queue, one for each sample.
	 *
	 * @param queue the name of the queue
	 * @param accepted the numbers of accepted jobs
	 * @param succeeded the numbers of jobs that succeeded
	 * @param failedAttempts the numbers of failed attempts
	 */
	public record QueueThroughputDescriptor(String queue, List<Long> accepted, List<Long> succeeded,
			List<Long> failedAttempts) {

		static QueueThroughputDescriptor of(String queue, List<ThroughputSample> samples) {
			return new QueueThroughputDescriptor(queue, numbers(queue, samples, QueueThroughput::accepted),
					numbers(queue, samples, QueueThroughput::succeeded),
					numbers(queue, samples, QueueThroughput::failedAttempts));
		}

		private static List<Long> numbers(String queue, List<ThroughputSample> samples,
				ToLongFunction<QueueThroughput> number) {
			return samples.stream()
				.map((sample) -> sample.queues()
					.stream()
					.filter((candidate) -> candidate.queue().equals(queue))
					.mapToLong(number)
					.sum())
				.toList();
		}

	}

}
