package io.locket.examples.keys;

import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<String> invoices = new ArrayList<>();

	@UniqueJob(key = "{#customerId, #period}")
	public void bill(long customerId, YearMonth period, Instant requestedAt) {
		write(customerId, period);
	}

	private void write(long customerId, YearMonth period) {
		this.invoices.add(customerId + " " + period);
	}

	List<String> invoices() {
		return this.invoices;
	}

}
