package io.locket.examples.readme;

import java.time.Instant;
import java.time.YearMonth;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	@UniqueJob(key = "{#customerId, #period}")
	public void bill(long customerId, YearMonth period, Instant requestedAt) {
		// runs at most once at a time for a customer and a period, over all replicas
	}

	@UniqueJob
	public void close() {
	}

}
