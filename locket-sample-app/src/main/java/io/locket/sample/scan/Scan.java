package io.locket.sample.scan;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.locket.sample.artifact.Artifact;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * One scan: offers each artifact several times at once, and counts what happens.
 */
final class Scan {

	private static final Log logger = LogFactory.getLog(Scan.class);

	private final ArtifactInspector inspector;

	private final RefusalCounter refusals;

	private final OverlapWatch overlaps;

	private final int offersEach;

	private final int artifactsAtOnce = Math.max(2, Runtime.getRuntime().availableProcessors());

	private final CountDownLatch cancelled = new CountDownLatch(1);

	private final LongAdder offered = new LongAdder();

	private final LongAdder ran = new LongAdder();

	private final LongAdder failed = new LongAdder();

	Scan(ArtifactInspector inspector, RefusalCounter refusals, OverlapWatch overlaps, int offersEach) {
		this.inspector = inspector;
		this.refusals = refusals;
		this.overlaps = overlaps;
		this.offersEach = offersEach;
	}

	/**
	 * Offer the artifacts, and go on for a while.
	 * @param artifacts the artifacts
	 * @param pause for how long to go on afterwards
	 * @return what was counted
	 * @throws CancellationException if the scan was cancelled
	 */
	ScanResult run(List<Artifact> artifacts, Duration pause) throws InterruptedException {
		long refusedBefore = this.refusals.refused();
		long overlappedBefore = this.overlaps.overlapped();
		ExecutorService threads = Executors.newFixedThreadPool(this.offersEach * this.artifactsAtOnce,
				new CustomizableThreadFactory("offer-"));
		try {
			offerAll(artifacts, threads);
		}
		finally {
			threads.shutdown();
		}
		if (!pause.isZero() && !isCancelled()) {
			logger.info("Inspected all; the scan goes on, and holds its lease, for " + pause.toSeconds() + " s");
		}
		if (this.cancelled.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new CancellationException("The scan was cancelled");
		}
		return new ScanResult(artifacts.size(), this.offered.sum(), this.ran.sum(),
				this.refusals.refused() - refusedBefore, this.overlaps.overlapped() - overlappedBefore,
				this.failed.sum());
	}

	/**
	 * End the scan early, without a result. Inspections that run are not interrupted.
	 */
	void cancel() {
		this.cancelled.countDown();
	}

	private boolean isCancelled() {
		return this.cancelled.getCount() == 0;
	}

	private void offerAll(List<Artifact> artifacts, Executor threads) throws InterruptedException {
		Semaphore room = new Semaphore(this.artifactsAtOnce);
		for (Artifact artifact : artifacts) {
			room.acquire();
			if (isCancelled()) {
				room.release();
				break;
			}
			CompletableFuture<?>[] calls = Offer.together(this.offersEach)
				.stream()
				.map((offer) -> CompletableFuture.runAsync(() -> call(artifact, offer), threads))
				.toArray(CompletableFuture<?>[]::new);
			CompletableFuture.allOf(calls).whenComplete((result, failure) -> room.release());
		}
		room.acquire(this.artifactsAtOnce);
	}

	private void call(Artifact artifact, Offer offer) {
		try {
			offer.awaitStart();
			this.offered.increment();
			this.inspector.inspect(artifact, offer);
		}
		catch (IOException | RuntimeException ex) {
			this.failed.increment();
			logger.warn("The inspection of " + artifact.id() + " failed: " + ex);
		}
		finally {
			offer.end();
		}
		if (offer.isAccepted()) {
			this.ran.increment();
		}
	}

}
