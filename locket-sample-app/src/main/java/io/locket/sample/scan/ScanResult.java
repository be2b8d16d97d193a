package io.locket.sample.scan;

/**
 * What came of a scan. Each number is counted where it happens: none is the rest of
 * others.
 *
 * @param artifacts how many artifacts there were
 * @param offered how often an inspection was enqueued
 * @param ran how many jobs of this scan ran, in whichever replica
 * @param merged how many offers were answered as duplicates of a job that is there
 * @param overlapped how many inspections began while another one of the same artifact
 * ran, in whichever replica
 * @param again how often a job ran again, since its replica died or it failed
 * @param failed how many offers had no answer, and how many jobs have not succeeded
 */
public record ScanResult(int artifacts, long offered, long ran, long merged, long overlapped, long again, long failed) {

	@Override
	public String toString() {
		return "offered " + this.offered + ", ran " + this.ran + ", merged " + this.merged + ", overlapped "
				+ this.overlapped + ((this.again > 0) ? ", again " + this.again : "")
				+ ((this.failed > 0) ? ", failed " + this.failed : "");
	}

}
