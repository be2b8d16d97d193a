package io.locket.examples.testing;

import java.time.YearMonth;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

/**
 * The jobs under test.
 */
public class Billing {

	private final Printer printer;

	Billing(Printer printer) {
		this.printer = printer;
	}

	@UniqueJob(name = "billing.bill", lock = LockStrategy.UNTIL_EXECUTED, queue = "invoices", backoff = "10s")
	public void bill(long customer, YearMonth period) {
		this.printer.print(customer + " " + period);
	}

}
