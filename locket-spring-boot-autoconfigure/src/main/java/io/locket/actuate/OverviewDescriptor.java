package io.locket.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.locket.queue.StoreOverview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Everything at a glance.
 *
 * @param namespace the namespace of the queues, or {@code null} if they have none
 * @param instance the process that answers, or {@code null} if it has no name
 * @param version the version of Locket, or {@code null} if its jar does not tell
 * @param time when the store was asked, by its clock
 * @param totals these queues together
 * @param queues the queues, by name; the first thousand
 * @param leader who leads, or {@code null} where there is no leader
 * @param sections what else can be asked for, below the path of the endpoint
 */
public record OverviewDescriptor(@Nullable String namespace, @Nullable String instance, @Nullable String version,
		Instant time, TotalsDescriptor totals, List<QueueDescriptor> queues,
		LeaderSection.@Nullable LeaderDescriptor leader, List<String> sections) implements OperationResponseBody {

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
				TotalsDescriptor.of(queues), queues, leader, sections);
	}

	/**
	 * Queues together.
	 *
	 * @param queues how many queues these are
	 * @param truncated whether there may be more queues, which are not among these
	 * @param paused how many of them are paused
	 * @param scheduled how many jobs wait for their due time
	 * @param ready how many wait for a worker
	 * @param parked how many wait for the lease of their key
	 * @param retry how many wait for a retry
	 * @param running how many a worker has
	 * @param deadLetters how many dead letters there are
	 * @param oldestWaitingMs for how long the one of those that are ready or parked waits
	 * that waits the longest, in milliseconds, or {@code null} if none waits
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
