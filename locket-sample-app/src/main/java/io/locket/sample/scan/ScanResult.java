package io.locket.sample.scan;

/**
 * The result of a scan. Each number is counted independently.
 *
 * @param artifacts the number of artifacts
 * @param offered the number of calls that enqueued an inspection
 * @param ran the number of jobs of this scan that ran, in any replica
 * @param merged the number of offers that were duplicates of an existing job
 * @param overlapped the number of inspections that still ran when another one of the same
 * artifact began, in any replica
 * @param again the number of repeated runs after a failure or the death of a replica
 * @param failed the number of offers without a result and of jobs that did not succeed
 */
public record ScanResult(int artifacts, long offered, long ran, long merged, long overlapped, long again, long failed) {

	@Override
	public String toString() {
		return "offered " + this.offered + ", ran " + this.ran + ", merged " + this.merged + ", overlapped "
				+ this.overlapped + ((this.again > 0) ? ", again " + this.again : "")
				+ ((this.failed > 0) ? ", failed " + this.failed : "");
	}

}
