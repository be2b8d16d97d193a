package io.locket.worker.run;

import io.locket.JobKey;
import io.locket.key.JobKeys;
import io.locket.queue.JobRecord;

/**
 * Handler of a job whose method is not in this process.
 *
 * @param job the name of the job
 * @param maskArguments whether its arguments are kept out of stored failures
 */
public record ForeignJobHandler(String job, boolean maskArguments) implements JobHandler {

	public static ForeignJobHandler of(JobRecord record, boolean maskArguments) {
		JobKey key = record.key();
		return new ForeignJobHandler(record.job(), maskArguments || (key != null && JobKeys.isMasked(key)));
	}

	@Override
	public Object[] arguments(JobRecord record) {
		throw new IllegalStateException(
				"Job '" + job() + "' has no method in this process that declares the types of its"
						+ " arguments. Pass them to argumentsAs(...), or read the JSON of record().arguments()");
	}

	@Override
	public Body bind(JobRecord record) {
		throw new IllegalStateException("Job '" + job() + "' has no method in this process");
	}

}
