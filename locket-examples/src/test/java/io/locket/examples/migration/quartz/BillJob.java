package io.locket.examples.migration.quartz;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

@DisallowConcurrentExecution
public class BillJob implements Job {

	private final Billing billing;

	public BillJob(Billing billing) {
		this.billing = billing;
	}

	@Override
	public void execute(JobExecutionContext context) {
		this.billing.bill(context.getMergedJobDataMap().getLong("customerId"));
	}

}
