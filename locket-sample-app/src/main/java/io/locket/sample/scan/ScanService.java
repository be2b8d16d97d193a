package io.locket.sample.scan;

import java.util.concurrent.CompletableFuture;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

/**
 * Service that scans the artifacts of this machine, one scan at a time in the whole
 * fleet.
 */
@Service
public class ScanService {

	static final String JOB = "inventory.scan";

	private final ScanRunner runner;

	ScanService(ScanRunner runner) {
		this.runner = runner;
	}

	/**
	 * Starts a scan. Its lease is held until the result is available.
	 * @return the result; if a scan already runs anywhere in the fleet, a failure with a
	 * {@link io.locket.DuplicateJobException}
	 */
	@UniqueJob(name = JOB, onConflict = ConflictStrategy.RAISE)
	public CompletableFuture<ScanResult> scan() {
		return this.runner.start(JobContext.required());
	}

}
