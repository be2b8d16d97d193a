package io.locket.benchmarks.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

import io.locket.benchmarks.measure.Variant;
import io.locket.job.administration.JobFilter;

/**
 * One operation in a crowd of one size.
 */
final class CrowdVariant implements Variant {

	private final Crowd crowd;

	private final BiConsumer<Crowd, Integer> operation;

	private final boolean needsJobs;

	private List<String> ids = new ArrayList<>();

	private CrowdVariant(Crowd crowd, boolean needsJobs, BiConsumer<Crowd, Integer> operation) {
		this.crowd = crowd;
		this.needsJobs = needsJobs;
		this.operation = operation;
	}

	/**
	 * Enqueues jobs, and removes them while it rests, so that the crowd does not grow.
	 */
	static CrowdVariant enqueue(Crowd crowd) {
		CrowdVariant[] variant = new CrowdVariant[1];
		variant[0] = each(crowd, (number) -> variant[0].ids.add(crowd.enqueueOne()));
		return variant[0];
	}

	static CrowdVariant work(Crowd crowd) {
		return new CrowdVariant(crowd, true, Crowd::work);
	}

	static CrowdVariant cancel(Crowd crowd) {
		CrowdVariant[] variant = new CrowdVariant[1];
		variant[0] = new CrowdVariant(crowd, true, (owner, count) -> {
			for (int i = 0; i < count; i++) {
				crowd.administration().cancel(variant[0].ids.get(i));
			}
		});
		return variant[0];
	}

	static CrowdVariant list(Crowd crowd) {
		return each(crowd, (number) -> crowd.administration().list(JobFilter.waiting(), 50, null));
	}

	static CrowdVariant overview(Crowd crowd) {
		return each(crowd, (number) -> crowd.administration().overview());
	}

	static CrowdVariant verify(Crowd crowd) {
		return each(crowd, (number) -> {
			if (!crowd.administration().verify().isEmpty()) {
				throw new IllegalStateException("The crowd of " + crowd.size() + " breaks an invariant");
			}
		});
	}

	private static CrowdVariant each(Crowd crowd, IntConsumer step) {
		return new CrowdVariant(crowd, false, (owner, count) -> {
			for (int i = 0; i < count; i++) {
				step.accept(i);
			}
		});
	}

	@Override
	public String name() {
		return Sizes.text(this.crowd.size());
	}

	@Override
	public void prepare(int operations) {
		if (this.needsJobs) {
			this.ids = this.crowd.enqueueFree(operations);
		}
	}

	@Override
	public void run(int operations) {
		this.operation.accept(this.crowd, operations);
	}

	@Override
	public void rest() {
		if (!this.needsJobs) {
			this.ids.forEach(this.crowd.administration()::cancel);
			this.ids.clear();
		}
		this.crowd.restore();
	}

}
