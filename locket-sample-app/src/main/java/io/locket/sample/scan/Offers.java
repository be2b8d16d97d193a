package io.locket.sample.scan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.sample.artifact.Artifact;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The offers of one scan. Several threads enqueue an inspection of every artifact at the
 * same time, each in a different order.
 */
final class Offers {

	private static final Log logger = LogFactory.getLog(Offers.class);

	private final Jobs jobs;

	private final ScanTally tally;

	private final long scan;

	private final BooleanSupplier cancelled;

	private final Set<String> ids = ConcurrentHashMap.newKeySet();

	private final LongAdder offered = new LongAdder();

	private final LongAdder merged = new LongAdder();

	private final LongAdder failed = new LongAdder();

	Offers(Jobs jobs, ScanTally tally, long scan, BooleanSupplier cancelled) {
		this.jobs = jobs;
		this.tally = tally;
		this.scan = scan;
		this.cancelled = cancelled;
	}

	/**
	 * Offers all artifacts.
	 * @param artifacts the artifacts
	 * @param threads the number of threads that offer each of them
	 */
	void make(List<Artifact> artifacts, int threads) throws InterruptedException {
		String urgent = urgent(artifacts);
		CyclicBarrier start = new CyclicBarrier(threads);
		ExecutorService executor = Executors.newFixedThreadPool(threads, new CustomizableThreadFactory("offer-"));
		this.tally.offering(this.scan);
		try {
			List<Future<?>> producers = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				List<Artifact> shuffled = new ArrayList<>(artifacts);
				Collections.shuffle(shuffled);
				producers.add(executor.submit(() -> offer(shuffled, urgent, start)));
			}
			executor.shutdown();
			while (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
				this.tally.offering(this.scan);
			}
			for (Future<?> producer : producers) {
				producer.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Could not offer the artifacts", ex.getCause());
		}
		finally {
			executor.shutdownNow();
			this.tally.offered(this.scan);
		}
	}

	/**
	 * Returns the id of the first jar, the application itself, which users check first.
	 */
	private static String urgent(List<Artifact> artifacts) {
		return artifacts.stream()
			.filter((artifact) -> artifact.kind() == Artifact.Kind.JAR)
			.map(Artifact::id)
			.findFirst()
			.orElse("");
	}

	private void offer(List<Artifact> artifacts, String urgent, CyclicBarrier start) {
		try {
			start.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException("Could not start the offers at the same time", ex);
		}
		for (Artifact artifact : artifacts) {
			if (this.cancelled.getAsBoolean()) {
				return;
			}
			offer(artifact, artifact.id().equals(urgent) ? ArtifactInspector.URGENT : ArtifactInspector.QUEUE);
		}
	}

	private void offer(Artifact artifact, String queue) {
		this.offered.increment();
		try {
			EnqueueResult result = this.jobs.enqueue(ArtifactInspector.class,
					(inspector) -> inspector.inspect(artifact, this.scan), EnqueueOptions.now().queue(queue));
			if (result instanceof EnqueueResult.Duplicate) {
				this.merged.increment();
			}
			else if (!(result instanceof EnqueueResult.Accepted)) {
				throw new IllegalStateException("Unexpected result of an offer: " + result);
			}
			result.jobId().ifPresent(this.ids::add);
		}
		catch (RuntimeException ex) {
			this.failed.increment();
			logger.warn("The inspection of " + artifact.id() + " could not be enqueued: " + ex);
		}
	}

	/**
	 * Returns the ids of the offered jobs.
	 */
	Set<String> ids() {
		return Set.copyOf(this.ids);
	}

	long offered() {
		return this.offered.sum();
	}

	long merged() {
		return this.merged.sum();
	}

	long failed() {
		return this.failed.sum();
	}

}
