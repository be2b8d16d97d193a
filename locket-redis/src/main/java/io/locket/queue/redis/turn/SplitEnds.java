package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.RunEnd;

/**
 * Ends of runs, split by the script that can serve them.
 *
 * @param plain the ends that {@code turn.lua} or {@code handover.lua} can serve
 * @param runs the runs of these ends, in the same order
 * @param others the ends that only {@code fail.lua} or {@code settle.lua} can serve
 */
public record SplitEnds(List<RunEnd> plain, List<PlainRun> runs, List<RunEnd> others) {

	/**
	 * Merges the results of both parts.
	 * @param ends the ends before they were split
	 * @param plainResults the results of {@link #plain}
	 * @param otherResults the results of {@link #others}
	 * @return the results in the order of the ends
	 */
	public List<EndResult> merge(List<RunEnd> ends, List<EndResult> plainResults, List<EndResult> otherResults) {
		List<EndResult> results = new ArrayList<>(ends.size());
		Iterator<EndResult> fromPlain = plainResults.iterator();
		Iterator<EndResult> fromOthers = otherResults.iterator();
		Iterator<RunEnd> other = this.others.iterator();
		RunEnd nextOther = other.hasNext() ? other.next() : null;
		for (RunEnd end : ends) {
			if (end == nextOther) {
				results.add(fromOthers.next());
				nextOther = other.hasNext() ? other.next() : null;
			}
			else {
				results.add(fromPlain.next());
			}
		}
		return results;
	}

}
