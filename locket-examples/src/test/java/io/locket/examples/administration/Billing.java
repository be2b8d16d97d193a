package io.locket.examples.administration;

import java.time.Instant;
import java.time.YearMonth;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	@UniqueJob(name = "billing.bill", key = "{#customerId, #period}", queue = "invoices")
	public void bill(long customerId, YearMonth period, Instant requestedAt) {
	}

}
