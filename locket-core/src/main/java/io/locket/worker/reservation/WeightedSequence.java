package io.locket.worker.reservation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.locket.worker.settings.WeightedQueue;

/**
 * Smooth weighted round robin, as in nginx: each queue gains its weight; the queue with
 * the highest value comes first and is reduced by the sum of all weights. The others
 * follow by value. Thread-safe.
 */
final class WeightedSequence implements QueueSequence {

	private final Map<String, Integer> weights;

	private final Map<String, Integer> current = new HashMap<>();

	WeightedSequence(List<WeightedQueue> queues) {
		this.weights = queues.stream().collect(Collectors.toMap(WeightedQueue::name, WeightedQueue::weight));
	}

	@Override
	public synchronized List<String> order(List<String> queues) {
		if (queues.size() < 2) {
			return queues;
		}
		queues.forEach((queue) -> this.current.merge(queue, weight(queue), Integer::sum));
		List<String> ordered = new ArrayList<>(queues);
		ordered.sort(Comparator.comparing(this.current::get, Comparator.reverseOrder()));
		int total = queues.stream().mapToInt(this::weight).sum();
		this.current.merge(ordered.get(0), -total, Integer::sum);
		return ordered;
	}

	private int weight(String queue) {
		return this.weights.getOrDefault(queue, 1);
	}

}
