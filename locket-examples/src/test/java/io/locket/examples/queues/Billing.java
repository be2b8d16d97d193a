package io.locket.examples.queues;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<String> invoices = new CopyOnWriteArrayList<>();

	@UniqueJob(name = "billing.bill", key = "{#customerId, #period}", queue = "invoices",
			lock = LockStrategy.UNTIL_EXECUTED)
	public void bill(long customerId, YearMonth period, Instant requestedAt) {
		write(customerId, period);
	}

	private void write(long customerId, YearMonth period) {
		JobContext context = JobContext.required("billing.bill");
		context.fencingToken();
		context.isCancelled();
		context.isLeaseLost();
		context.queuedRun();
		context.progress(3, 12, "invoices of March");
		context.markCompleted();

		this.invoices.add(customerId + " " + period + " in " + context.queuedRun().orElseThrow().queue());
	}

	List<String> invoices() {
		return this.invoices;
	}

}
