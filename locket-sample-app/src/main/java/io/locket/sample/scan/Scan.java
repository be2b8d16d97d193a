package io.locket.sample.scan;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.locket.sample.artifact.Artifact;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

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

	private final CountDownLatch cancelled = new CountDownLatch(1);

	private final ExecutorService threads;

	private final LongAdder offered = new LongAdder();

	private final LongAdder ran = new LongAdder();

	private final LongAdder failed = new LongAdder();

	Scan(ArtifactInspector inspector, RefusalCounter refusals, OverlapWatch overlaps, int offersEach) {
		this.inspector = inspector;
		this.refusals = refusals;
		this.overlaps = overlaps;
		this.offersEach = offersEach;
		// Tasks start in their order, so the offers of one artifact always come together.
		int artifactsAtOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
		this.threads = Executors.newFixedThreadPool(offersEach * artifactsAtOnce,
				new CustomizableThreadFactory("offer-"));
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
		try {
			offerAll(artifacts);
		}
		finally {
			this.threads.shutdownNow();
		}
		if (this.cancelled.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new CancellationException("The scan was cancelled");
		}
		return new ScanResult(artifacts.size(), this.offered.sum(), this.ran.sum(),
				this.refusals.refused() - refusedBefore, this.overlaps.overlapped() - overlappedBefore,
				this.failed.sum());
	}

	/**
	 * End the scan early, without a result.
	 */
	void cancel() {
		this.cancelled.countDown();
		this.threads.shutdownNow();
	}

	private void offerAll(List<Artifact> artifacts) throws InterruptedException {
		List<Callable<Void>> calls = new ArrayList<>();
		for (Artifact artifact : artifacts) {
			for (Offer offer : Offer.together(this.offersEach)) {
				calls.add(() -> call(artifact, offer));
			}
		}
		this.threads.invokeAll(calls);
	}

	private @Nullable Void call(Artifact artifact, Offer offer) throws Exception {
		offer.awaitStart();
		this.offered.increment();
		try {
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
		return null;
	}

}
