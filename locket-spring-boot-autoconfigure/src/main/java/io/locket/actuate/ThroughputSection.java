package io.locket.actuate;

import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.ThroughputDescriptor;
import io.locket.job.administration.JobAdministration;

/**
 * The section of the counts per minute.
 */
final class ThroughputSection implements EndpointSection {

	static final String PATH = "throughput";

	/**
	 * Number of minutes of a page.
	 */
	static final int HOUR = 60;

	private final JobAdministration administration;

	private final SharedReads reads;

	ThroughputSection(JobAdministration administration, SharedReads reads) {
		this.administration = administration;
		this.reads = reads;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Set<String> listParameters() {
		return ListQuery.LIMIT;
	}

	@Override
	public ThroughputDescriptor list(ListQuery query, ArgumentMask mask) {
		return last(query.minutes());
	}

	/**
	 * Returns the counts of the last minutes. Requests for the same number share a read.
	 */
	ThroughputDescriptor last(int minutes) {
		return this.reads.get(PATH + " " + minutes,
				() -> ThroughputDescriptor.of(this.administration.history().throughput(minutes)));
	}

}
