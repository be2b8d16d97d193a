package io.locket.examples.migration.jobrunr;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.UniqueJob;
import org.jobrunr.jobs.annotations.Job;

import org.springframework.stereotype.Service;

@Service
public class BilledByBoth {

	private final List<String> bills = new CopyOnWriteArrayList<>();

	@Job(name = "Bill of customer %0", retries = 3)
	@UniqueJob(retries = "3", onConflict = ConflictStrategy.PARK)
	public void bill(long customerId, String period) {
		write(customerId, period);
	}

	private void write(long customerId, String period) {
		boolean queued = JobContext.required().queuedRun().isPresent();
		this.bills.add(customerId + " " + period + (queued ? " by Locket" : " by JobRunr"));
	}

	public List<String> bills() {
		return this.bills;
	}

}
