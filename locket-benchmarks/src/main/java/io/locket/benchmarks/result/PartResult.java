package io.locket.benchmarks.result;

import java.util.List;

/**
 * Results of one part of a run.
 *
 * @param date the day of the run
 * @param machine the machine, the Redis and the Java of the run
 * @param sections the sections
 * @param gates the gates and aims
 */
public record PartResult(String date, String machine, List<Section> sections, List<Gate> gates) {

	/**
	 * Creates a result.
	 */
	public PartResult {
		sections = List.copyOf(sections);
		gates = List.copyOf(gates);
	}

}
