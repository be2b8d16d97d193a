package io.locket.worker;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Leaves out the queues that had nothing to run when they were last asked, until there is
 * news of them. News may be lost: a worker's poll ignores this filter. Thread-safe.
 */
public final class IdleQueueFilter implements QueueReservationFilter {

	private final Set<String> idle = new HashSet<>();

	private final Map<String, Long> news = new HashMap<>();

	private long newsOfAll;

	private long moment;

	@Override
	public synchronized List<String> filter(List<String> queues) {
		return this.idle.isEmpty() ? queues : queues.stream().filter((queue) -> !this.idle.contains(queue)).toList();
	}

	/**
	 * Return the moment before a question; news after it is newer than the answer.
	 * @return the moment
	 */
	synchronized long moment() {
		return this.moment;
	}

	/**
	 * There is news.
	 * @param queue the queue, or {@code null} for all
	 */
	synchronized void onNews(@Nullable String queue) {
		this.moment++;
		if (queue == null) {
			this.newsOfAll = this.moment;
			this.news.clear();
			this.idle.clear();
		}
		else {
			this.news.put(queue, this.moment);
			this.idle.remove(queue);
		}
	}

	/**
	 * Take notice of an answer.
	 * @param askedAt the moment before the question
	 * @param asked the queues that were asked
	 * @param idle those of them that have nothing to run
	 */
	synchronized void onAnswer(long askedAt, Collection<String> asked, Set<String> idle) {
		for (String queue : asked) {
			if (!idle.contains(queue)) {
				this.idle.remove(queue);
			}
			else if (Math.max(this.newsOfAll, this.news.getOrDefault(queue, 0L)) <= askedAt) {
				this.idle.add(queue);
			}
		}
	}

}
