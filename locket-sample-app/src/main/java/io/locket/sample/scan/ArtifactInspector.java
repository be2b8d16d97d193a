package io.locket.sample.scan;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.QueuedRun;
import io.locket.UniqueJob;
import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReader;
import io.locket.sample.artifact.ArtifactReport;
import io.locket.sample.artifact.InventoryRepository;

import org.springframework.stereotype.Component;

/**
 * Job that inspects artifacts. An inspection that is offered while one of the same
 * artifact waits or runs, anywhere in the fleet, is merged with it.
 */
@Component
public class ArtifactInspector {

	static final String JOB = "inventory.inspect";

	static final String QUEUE = "inventory";

	/**
	 * The queue that all replicas serve first.
	 */
	static final String URGENT = "urgent";

	private static final Duration GLANCE = Duration.ofMillis(10);

	private final ArtifactReader reader;

	private final InventoryRepository inventory;

	private final OverlapWatch overlaps;

	private final ScanTally tally;

	private final Duration pause;

	ArtifactInspector(ArtifactReader reader, InventoryRepository inventory, OverlapWatch overlaps, ScanTally tally,
			ScanProperties properties) {
		this.reader = reader;
		this.inventory = inventory;
		this.overlaps = overlaps;
		this.tally = tally;
		this.pause = properties.inspectPause();
	}

	/**
	 * Inspects an artifact and stores the report. It runs until every offer of its scan
	 * has a result, so that each further offer meets an existing job.
	 * @param artifact the artifact, whose id is the key
	 * @param scan the scan, which is not part of the key
	 * @throws IOException if the artifact cannot be read; there is no retry
	 * @throws InterruptedException if the replica stops in the meantime
	 */
	@UniqueJob(name = JOB, key = "#artifact.id", queue = QUEUE, lock = LockStrategy.UNTIL_EXECUTED, retries = "2",
			backoff = "1s", noRetryFor = IOException.class)
	public void inspect(Artifact artifact, long scan) throws IOException, InterruptedException {
		JobContext context = JobContext.required(JOB);
		this.tally.ran(scan, context.queuedRun().map(QueuedRun::id).orElseGet(() -> UUID.randomUUID().toString()));
		this.overlaps.watch(artifact.id(), () -> this.tally.overlapped(scan), () -> {
			try {
				context.progress(0, 2, "reading " + artifact.name());
				ArtifactReport report = this.reader.read(artifact);
				context.progress(1, 2, "read " + report.classes() + " classes");
				Thread.sleep(this.pause.toMillis());
				context.ensureLease();
				this.inventory.save(report);
				context.progress(2, 2, "stored " + report.classes() + " classes");
			}
			finally {
				awaitOffers(scan);
			}
		});
	}

	private void awaitOffers(long scan) throws InterruptedException {
		while (this.tally.isOffering(scan)) {
			Thread.sleep(GLANCE.toMillis());
		}
	}

}
