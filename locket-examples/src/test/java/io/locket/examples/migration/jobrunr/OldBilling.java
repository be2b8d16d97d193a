package io.locket.examples.migration.jobrunr;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jobrunr.jobs.annotations.Job;
import org.jobrunr.jobs.annotations.Recurring;

/**
 * The service as JobRunr runs it.
 */
public class OldBilling {

	private final List<String> bills = new CopyOnWriteArrayList<>();

	@Job(name = "Bill of customer %0", retries = 3)
	public void bill(long customerId, String period) {
		write(customerId, period);
	}

	@Recurring(id = "close-month", cron = "0 3 1 * *", zoneId = "Europe/Berlin")
	public void close() {
		write(0, "closed");
	}

	private void write(long customerId, String period) {
		this.bills.add(customerId + " " + period);
	}

	public List<String> bills() {
		return this.bills;
	}

}
