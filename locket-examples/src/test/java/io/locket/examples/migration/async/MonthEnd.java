package io.locket.examples.migration.async;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.stereotype.Service;

@Service
public class MonthEnd {

	private final JobOperator operator;

	private final Job closeMonth;

	MonthEnd(JobOperator operator, Job closeMonth) {
		this.operator = operator;
		this.closeMonth = closeMonth;
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, retries = "2")
	public void close(String period) throws JobExecutionException {
		JobParameters parameters = new JobParametersBuilder().addString("period", period).toJobParameters();
		JobExecution execution = this.operator.start(this.closeMonth, parameters);
		if (execution.getStatus() != BatchStatus.COMPLETED) {
			throw new IllegalStateException("The batch job ended as " + execution.getStatus());
		}
	}

}
