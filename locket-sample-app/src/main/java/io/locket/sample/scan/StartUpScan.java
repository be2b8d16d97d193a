package io.locket.sample.scan;

import io.locket.DuplicateJobException;
import io.locket.LeaseUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Runner that scans when the replica starts, unless another scan runs.
 */
@Component
class StartUpScan implements ApplicationRunner {

	private static final Log logger = LogFactory.getLog(StartUpScan.class);

	private final ScanService scans;

	private final ScanProperties properties;

	StartUpScan(ScanService scans, ScanProperties properties) {
		this.scans = scans;
		this.properties = properties;
	}

	@Override
	public void run(ApplicationArguments args) {
		if (this.properties.scanOnStart()) {
			this.scans.scan().whenComplete((result, failure) -> report(failure));
		}
	}

	private void report(@Nullable Throwable failure) {
		if (failure instanceof DuplicateJobException duplicate) {
			logger.info("No scan here: another one runs, held by " + duplicate.getHolder());
		}
		if (failure instanceof LeaseUnavailableException) {
			logger.warn("No scan here: " + failure.getMessage());
		}
	}

}
