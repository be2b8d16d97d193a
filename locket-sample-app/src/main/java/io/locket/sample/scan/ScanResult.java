package io.locket.sample.scan;

/**
 * What came of a scan. Each number is counted where it happens: none is the rest of
 * others.
 *
 * @param artifacts how many artifacts there were
 * @param offered how often an inspection was asked for
 * @param ran how many inspections ran
 * @param refused how many calls Locket refused
 * @param overlapped how many inspections began while another one of the same artifact
 * ran, here or in another replica
 * @param failed how many calls ended with an error
 */
public record ScanResult(int artifacts, long offered, long ran, long refused, long overlapped, long failed) {

	@Override
	public String toString() {
		return "offered " + this.offered + ", ran " + this.ran + ", refused " + this.refused + ", overlapped "
				+ this.overlapped + ((this.failed > 0) ? ", failed " + this.failed : "");
	}

}
