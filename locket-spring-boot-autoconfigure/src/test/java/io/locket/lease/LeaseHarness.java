package io.locket.lease;

import java.util.List;

import io.locket.JobKey;
import io.locket.event.JobEvent;

/**
 * Lease service under test, in a lock space of its own. Its leases last 35 s, and a
 * command may take 2 s.
 */
interface LeaseHarness extends AutoCloseable {

	LeaseService service();

	/**
	 * Returns the events published so far.
	 */
	List<JobEvent> events();

	/**
	 * Frees a key without the knowledge of its holder.
	 */
	void vanish(JobKey key);

	@Override
	void close();

}
