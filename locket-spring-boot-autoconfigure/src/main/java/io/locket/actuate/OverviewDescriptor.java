package io.locket.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.locket.actuate.descriptor.QueueDescriptor;
import io.locket.queue.StoreOverview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Overview of the namespace.
 *
 * @param namespace the namespace of the queues, or {@code null} if they have none
 * @param instance the responding process, or {@code null} if it has no name
 * @param version the version of Locket, or {@code null} if its jar does not have one
 * @param time the time of the figures, by the clock of the store
 * @param totals the totals of these queues
 * @param queues the queues, by name; the first thousand
 * @param leader the leader, or {@code null} if there is no leader election
 * @param events the totals of events of the responding process, or {@code null}
 * @param sections the sections below the path of the endpoint
 */
public record OverviewDescriptor(@Nullable String namespace, @Nullable String instance, @Nullable String version,
		Instant time, TotalsDescriptor totals, List<QueueDescriptor> queues,
		LeaderSection.@Nullable LeaderDescriptor leader, EventTotals.@Nullable EventTotalsDescriptor events,
		List<String> sections) implements OperationResponseBody {

	/**
	 * The version of the jar.
	 */
	private static final @Nullable String VERSION = OverviewDescriptor.class.getPackage().getImplementationVersion();

	static OverviewDescriptor of(EndpointParts parts, StoreOverview overview,
			LeaderSection.@Nullable LeaderDescriptor leader, List<String> sections) {
		List<QueueDescriptor> queues = overview.queues()
			.stream()
			.map((queue) -> QueueDescriptor.of(queue.counts(), queue.oldestWaiting()))
			.toList();
		return new OverviewDescriptor(parts.namespace(), parts.instance(), VERSION, overview.time(),
				TotalsDescriptor.of(queues), queues, leader,
				(parts.events() != null) ? parts.events().describe() : null, sections);
	}

	/**
	 * Totals of queues.
	 *
	 * @param queues the number of queues
	 * @param truncated whether there may be further queues
	 * @param paused the number of paused queues
	 * @param scheduled the number of jobs that wait for their due time
	 * @param ready the number of jobs that wait for a worker
	 * @param parked the number of jobs that wait for the lease of their key
	 * @param retry the number of jobs that wait for a retry
	 * @param running the number of running jobs
	 * @param deadLetters the number of dead letters
	 * @param oldestWaitingMs the longest waiting time of a ready or parked job, in
	 * milliseconds, or {@code null} if none waits
	 */
	public record TotalsDescriptor(int queues, boolean truncated, long paused, long scheduled, long ready, long parked,
			long retry, long running, long deadLetters, @Nullable Long oldestWaitingMs) {

		static TotalsDescriptor of(List<QueueDescriptor> queues) {
			return new TotalsDescriptor(queues.size(), queues.size() >= StoreOverview.MAX_QUEUES,
					queues.stream().filter(QueueDescriptor::paused).count(),
					queues.stream().mapToLong(QueueDescriptor::scheduled).sum(),
					queues.stream().mapToLong(QueueDescriptor::ready).sum(),
					queues.stream().mapToLong(QueueDescriptor::parked).sum(),
					queues.stream().mapToLong(QueueDescriptor::retry).sum(),
					queues.stream().mapToLong(QueueDescriptor::running).sum(),
					queues.stream().mapToLong(QueueDescriptor::deadLetters).sum(),
					queues.stream()
						.map(QueueDescriptor::oldestWaitingMs)
						.filter(Objects::nonNull)
						.max(Long::compare)
						.orElse(null));
		}

	}

}
