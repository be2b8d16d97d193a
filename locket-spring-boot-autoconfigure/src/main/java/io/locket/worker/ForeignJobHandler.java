package io.locket.worker;

import io.locket.JobKey;
import io.locket.key.JobKeys;
import io.locket.queue.JobRecord;

/**
 * Stands for the handler of a job that this process does not know.
 *
 * @param job the name of the job
 * @param maskArguments whether its arguments are kept out of what is stored of a failure
 */
record ForeignJobHandler(String job, boolean maskArguments) implements JobHandler {

	static ForeignJobHandler of(JobRecord record, boolean maskArguments) {
		JobKey key = record.key();
		return new ForeignJobHandler(record.job(), maskArguments || (key != null && JobKeys.isMasked(key)));
	}

	@Override
	public Object[] arguments(JobRecord record) {
		throw new IllegalStateException("Job '" + job() + "' has no method in this process to tell the types of its"
				+ " arguments. Name them with argumentsAs(...), or read the JSON of record().arguments()");
	}

	@Override
	public Body bind(JobRecord record) {
		throw new IllegalStateException("Job '" + job() + "' has no method in this process");
	}

}
