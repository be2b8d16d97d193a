package io.locket.sample.scan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.QueuedRun;
import io.locket.UniqueJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The job of the schedule {@code inventory}. A firing while the previous one waits or
 * runs is merged with it.
 */
@Component
public class RecurringScan {

	private static final Log logger = LogFactory.getLog(RecurringScan.class);

	private final ScanService scans;

	RecurringScan(ScanService scans) {
		this.scans = scans;
	}

	/**
	 * Scans, unless another scan runs.
	 * @return completes with the scan
	 */
	@UniqueJob(name = "inventory.rescan", queue = "recurring", lock = LockStrategy.UNTIL_EXECUTED, retries = "2",
			backoff = "1s")
	public CompletableFuture<Void> rescan() {
		String job = JobContext.required().queuedRun().map(QueuedRun::id).orElse("of a direct call");
		logger.info("Recurring scan " + job);
		return this.scans.scan().handle((result, failure) -> end(job, failure));
	}

	private @Nullable Void end(String job, @Nullable Throwable failure) {
		if (failure instanceof DuplicateJobException duplicate) {
			logger.info("No scan " + job + ": another one runs, held by " + duplicate.getHolder());
		}
		else if (failure != null) {
			throw (failure instanceof CompletionException ex) ? ex : new CompletionException(failure);
		}
		return null;
	}

}
