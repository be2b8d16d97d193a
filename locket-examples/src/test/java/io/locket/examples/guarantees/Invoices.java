package io.locket.examples.guarantees;

import java.time.YearMonth;
import java.util.HashMap;
import java.util.Map;

import org.springframework.stereotype.Component;

/**
 * Store that rejects a write with a smaller token than that of an earlier write, like a
 * table that is updated with {@code where token <= ?}.
 */
@Component
class Invoices {

	private final Map<String, Long> tokens = new HashMap<>();

	private final Map<String, String> invoices = new HashMap<>();

	synchronized boolean store(long customerId, YearMonth period, String invoice, long token) {
		String id = customerId + " " + period;
		if (this.tokens.getOrDefault(id, 0L) > token) {
			return false;
		}
		this.tokens.put(id, token);
		this.invoices.put(id, invoice);
		return true;
	}

	synchronized String find(long customerId, YearMonth period) {
		return this.invoices.get(customerId + " " + period);
	}

}
