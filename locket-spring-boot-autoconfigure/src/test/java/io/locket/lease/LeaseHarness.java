package io.locket.lease;

import java.util.List;

import io.locket.JobKey;
import io.locket.event.JobEvent;

/**
 * A lease service under test, in a lock space of its own. Its leases last 35 s, and a
 * command may take 2 s.
 */
interface LeaseHarness extends AutoCloseable {

	LeaseService service();

	/**
	 * Return what has been told so far.
	 */
	List<JobEvent> events();

	/**
	 * Free a key behind the back of its holder.
	 */
	void vanish(JobKey key);

	@Override
	void close();

}
