package io.locket.examples.howto.fanout;

import java.time.YearMonth;
import java.util.List;

import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;

import org.springframework.stereotype.Service;

@Service
public class MonthEnd {

	private static final int PAGE = 1000;

	private final Jobs jobs;

	private final Customers customers;

	MonthEnd(Jobs jobs, Customers customers) {
		this.jobs = jobs;
		this.customers = customers;
	}

	@UniqueJob(name = "monthEnd.sendAll", queue = "statements", lock = LockStrategy.UNTIL_EXECUTED)
	public void sendAll(YearMonth month) {
		JobContext context = JobContext.required("monthEnd.sendAll");
		long last = 0;
		List<Long> page = this.customers.idsAfter(last, PAGE);
		long done = 0;
		while (!page.isEmpty()) {
			this.jobs.enqueueAll(page.stream().map((customerId) -> request(customerId, month)).toList());
			done += page.size();
			context.progress(done, 0, "statements of " + month);
			last = page.get(page.size() - 1);
			page = this.customers.idsAfter(last, PAGE);
		}
	}

	private JobRequest request(long customerId, YearMonth month) {
		return JobRequest.of(Statements.class, (statements) -> statements.send(customerId, month))
			.with(EnqueueOptions.now().id("statement-" + month + "-" + customerId));
	}

}
