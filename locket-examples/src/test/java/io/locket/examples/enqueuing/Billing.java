package io.locket.examples.enqueuing;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<String> bills = new CopyOnWriteArrayList<>();

	@UniqueJob(key = "{#customerId, #period}", queue = "invoices", lock = LockStrategy.UNTIL_EXECUTED)
	public void bill(long customerId, YearMonth period, Instant requestedAt) {
		write(customerId, period);
	}

	private void write(long customerId, YearMonth period) {
		this.bills.add(customerId + " " + period);
	}

	List<String> bills() {
		return this.bills;
	}

}
