package io.locket.worker;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.Assert;

/**
 * All filters, one after another. One that fails is said once, and leaves out nothing.
 */
final class ReservationFilters {

	private static final Log logger = LogFactory.getLog(ReservationFilters.class);

	private final List<QueueReservationFilter> filters;

	private final Set<QueueReservationFilter> failed = ConcurrentHashMap.newKeySet();

	ReservationFilters(List<? extends QueueReservationFilter> filters) {
		this.filters = List.copyOf(filters);
	}

	/**
	 * Leave out queues.
	 * @param queues the queues
	 * @param poll whether to ask also those that were idle
	 * @return those that may be asked, in the order of the last filter
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
			Set<String> result = new LinkedHashSet<>(left);
			result.retainAll(queues);
			return List.copyOf(result);
		}
		catch (RuntimeException | LinkageError ex) {
			if (this.failed.add(filter)) {
				logger.warn("The queue reservation filter " + filter
						+ " failed and is ignored whenever it does: mend it. This is said once", ex);
			}
			return queues;
		}
	}

}
