package io.locket.worker.reservation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.Assert;

/**
 * Composite of all filters, in their order. A filter that fails is logged once and
 * excludes nothing.
 */
public final class ReservationFilters {

	private static final Log logger = LogFactory.getLog(ReservationFilters.class);

	private final List<QueueReservationFilter> filters;

	private final Set<QueueReservationFilter> failed = ConcurrentHashMap.newKeySet();

	public ReservationFilters(List<? extends QueueReservationFilter> filters) {
		this.filters = List.copyOf(filters);
	}

	/**
	 * Returns these filters, followed by another one.
	 * @param filter the other filter
	 * @return the filters
	 */
	public ReservationFilters with(QueueReservationFilter filter) {
		return new ReservationFilters(Stream.concat(this.filters.stream(), Stream.of(filter)).toList());
	}

	/**
	 * Applies the filters.
	 * @param queues the queues
	 * @param poll whether to include idle queues
	 * @return the remaining queues, in the order of the last filter
	 */
	List<String> apply(List<String> queues, boolean poll) {
		List<String> result = queues;
		for (QueueReservationFilter filter : this.filters) {
			if (!(poll && filter instanceof IdleQueueFilter)) {
				result = apply(filter, result);
			}
		}
		return result;
	}

	private List<String> apply(QueueReservationFilter filter, List<String> queues) {
		try {
			List<String> left = filter.filter(queues);
			Assert.state(left != null, "The filter returned null instead of a list");
			if (left == queues) {
				return queues;
			}
			Set<String> result = new LinkedHashSet<>(left);
			result.retainAll(queues);
			return List.copyOf(result);
		}
		catch (RuntimeException | Error ex) {
			if (this.failed.add(filter)) {
				logger.warn("The queue reservation filter " + filter
						+ " failed and is ignored whenever it fails. Fix the filter. Further failures are not logged",
						ex);
			}
			return queues;
		}
	}

}
