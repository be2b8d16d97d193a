package io.locket.queue.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.locket.queue.spi.NewJob;

/**
 * Shrinker of failing programs, which leaves out steps as long as the program still
 * fails.
 */
final class ProgramShrinker {

	private static final int RUNS = 1500;

	private final Predicate<List<QueueStep>> fails;

	private int runs;

	ProgramShrinker(Predicate<List<QueueStep>> fails) {
		this.fails = fails;
	}

	List<QueueStep> shrink(List<QueueStep> program) {
		List<QueueStep> best = program;
		int chunk = best.size() / 2;
		while (chunk > 0 && this.runs < RUNS) {
			List<QueueStep> shorter = without(best, chunk);
			if (shorter.size() == best.size()) {
				chunk /= 2;
			}
			best = shorter;
		}
		return smallBulks(best);
	}

	private List<QueueStep> without(List<QueueStep> program, int chunk) {
		List<QueueStep> best = program;
		int at = best.size() - chunk;
		while (at > -chunk && this.runs < RUNS) {
			int from = Math.max(0, at);
			List<QueueStep> candidate = new ArrayList<>(best);
			candidate.subList(from, Math.min(candidate.size(), at + chunk)).clear();
			if (fails(candidate)) {
				best = candidate;
			}
			at -= chunk;
		}
		return best;
	}

	/**
	 * Leaves out jobs of the steps that enqueue several.
	 */
	private List<QueueStep> smallBulks(List<QueueStep> program) {
		List<QueueStep> best = program;
		for (int i = 0; i < best.size(); i++) {
			if (best.get(i) instanceof QueueStep.Enqueue enqueue) {
				for (NewJob job : enqueue.jobs()) {
					List<NewJob> jobs = new ArrayList<>(((QueueStep.Enqueue) best.get(i)).jobs());
					jobs.remove(job);
					List<QueueStep> candidate = new ArrayList<>(best);
					candidate.set(i, new QueueStep.Enqueue(List.copyOf(jobs)));
					if (!jobs.isEmpty() && this.runs < 2 * RUNS && fails(candidate)) {
						best = candidate;
					}
				}
			}
		}
		return best;
	}

	private boolean fails(List<QueueStep> candidate) {
		this.runs++;
		return this.fails.test(candidate);
	}

}
