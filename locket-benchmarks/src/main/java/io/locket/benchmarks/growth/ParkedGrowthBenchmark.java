package io.locket.benchmarks.growth;

import java.util.List;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Section;

/**
 * Operations beside many held keys that each have a parked job. The system property
 * {@code bench.parked} sets the sizes.
 */
public final class ParkedGrowthBenchmark {

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Crowd> crowds = Sizes.of("bench.parked", "10,1000,100000")
			.stream()
			.map((size) -> Crowd.parked(redis, size))
			.toList();
		try {
			GrowthTable table = new GrowthTable(rounds, crowds);
			table.measureOperations();
			report.section(Section.of("Growth with parked keys",
					"One operation in namespaces in which so many keys are held and have a parked job each.",
					table.tables("parked keys")));
		}
		finally {
			crowds.forEach(Crowd::close);
		}
	}

}
