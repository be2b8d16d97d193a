package io.locket.examples.operations;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.UniqueJob;

/**
 * A job before and after a change that renames it and adds an argument.
 */
final class RenamedJobs {

	private RenamedJobs() {
	}

	public static class Before {

		@UniqueJob(name = "billing.invoice")
		public void invoice(long customerId) {
		}

	}

	public static class After {

		private final List<String> invoices = new CopyOnWriteArrayList<>();

		@UniqueJob(name = "billing.bill", aliases = "billing.invoice")
		public void bill(long customerId) {
			bill(customerId, "EUR");
		}

		@UniqueJob(name = "billing.billIn")
		public void bill(long customerId, String currency) {
			write(customerId, currency);
		}

		private void write(long customerId, String currency) {
			this.invoices.add(customerId + " " + currency);
		}

		public List<String> invoices() {
			return this.invoices;
		}

	}

}
