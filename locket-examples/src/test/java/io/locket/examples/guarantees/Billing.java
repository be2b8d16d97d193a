package io.locket.examples.guarantees;

import java.time.YearMonth;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final Invoices invoices;

	private volatile Supplier<String> computation = () -> "";

	Billing(Invoices invoices) {
		this.invoices = invoices;
	}

	@UniqueJob(onConflict = ConflictStrategy.RAISE)
	public boolean bill(long customerId, YearMonth period) {
		JobContext context = JobContext.required("billing.bill");
		String invoice = compute(customerId, period);
		context.ensureLease();
		return this.invoices.store(customerId, period, invoice, context.fencingToken());
	}

	private String compute(long customerId, YearMonth period) {
		return this.computation.get();
	}

	public void computeBy(Supplier<String> computation) {
		this.computation = computation;
	}

	/**
	 * Returns a computation that blocks until the test releases it.
	 */
	static Supplier<String> pausing(CountDownLatch begun, CountDownLatch gate, String result) {
		return () -> {
			begun.countDown();
			try {
				gate.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return result;
		};
	}

}
