package io.locket.examples.migration.jobrunr;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<String> bills = new CopyOnWriteArrayList<>();

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, retries = "3")
	public void bill(long customerId, String period) {
		write(customerId, period);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
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
