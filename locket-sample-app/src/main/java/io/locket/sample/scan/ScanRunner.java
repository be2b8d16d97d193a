package io.locket.sample.scan;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.locket.JobContext;
import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactCatalog;
import io.locket.sample.artifact.InventoryRepository;
import io.locket.sample.report.ReportDispatch;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Runs scans on a thread of its own. When the replica stops, it cancels the running scan.
 */
@Component
class ScanRunner implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(ScanRunner.class);

	private final ArtifactCatalog catalog;

	private final InventoryRepository inventory;

	private final Scan.Parts parts;

	private final ScanJournal journal;

	private final ScanProperties properties;

	private final ReportDispatch reports;

	private final Clock clock = Clock.systemUTC();

	private volatile @Nullable ExecutorService thread;

	private volatile @Nullable Scan current;

	ScanRunner(ArtifactCatalog catalog, InventoryRepository inventory, Scan.Parts parts, ScanJournal journal,
			ScanProperties properties, ReportDispatch reports) {
		this.catalog = catalog;
		this.inventory = inventory;
		this.parts = parts;
		this.journal = journal;
		this.properties = properties;
		this.reports = reports;
	}

	/**
	 * Starts a scan under a lease.
	 * @param context the context of the guarded call, valid until the result is available
	 * @return the result
	 */
	CompletableFuture<ScanResult> start(JobContext context) {
		ExecutorService executor = this.thread;
		if (executor == null) {
			throw new IllegalStateException("This replica is stopping");
		}
		ScanStatus status = ScanStatus.running(context.fencingToken(), context.since());
		this.journal.write(status);
		return CompletableFuture.supplyAsync(() -> run(context, status), executor);
	}

	private ScanResult run(JobContext context, ScanStatus status) {
		try {
			ScanResult result = scan(context);
			logger.info(result);
			this.journal.write(status.ended(this.clock.instant(), result, null));
			if (this.properties.examples()) {
				this.reports.dispatch(status.id());
			}
			return result;
		}
		catch (Exception ex) {
			logger.warn("The scan ended without a result: " + ex.getMessage());
			if (!context.isLeaseLost()) {
				this.journal.write(status.ended(this.clock.instant(), null, String.valueOf(ex.getMessage())));
			}
			throw new CompletionException(ex);
		}
	}

	private ScanResult scan(JobContext context) throws Exception {
		Scan scan = new Scan(this.parts, context.fencingToken());
		this.current = scan;
		context.onLeaseLost(scan::cancel);
		if (!isRunning()) {
			scan.cancel();
		}
		List<Artifact> artifacts = this.catalog.artifacts();
		logger.info("Scanning " + artifacts.size() + ((artifacts.size() == 1) ? " artifact" : " artifacts")
				+ ", each offered " + this.properties.offers() + " times");
		ScanResult result = scan.run(artifacts, this.properties.offers(), this.properties.pause());
		context.ensureLease();
		this.inventory.retain(artifacts.stream().map(Artifact::id).toList());
		return result;
	}

	@Override
	public void start() {
		this.thread = Executors.newSingleThreadExecutor(new CustomizableThreadFactory("scan-"));
	}

	@Override
	public void stop() {
		ExecutorService executor = this.thread;
		this.thread = null;
		if (executor == null) {
			return;
		}
		executor.shutdown();
		Scan scan = this.current;
		if (scan != null) {
			scan.cancel();
		}
		try {
			if (!executor.awaitTermination(20, TimeUnit.SECONDS)) {
				logger.warn("The scan does not stop");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

}
