package io.locket.benchmarks.growth;

import java.util.List;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Section;

/**
 * Operations beside many queued jobs. The system property {@code bench.queued} sets the
 * sizes, {@code bench.verified} the largest one that is verified.
 */
public final class QueuedGrowthBenchmark {

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Crowd> crowds = Sizes.of("bench.queued", "1000,100000,1000000")
			.stream()
			.map((size) -> Crowd.queued(redis, size))
			.toList();
		try {
			GrowthTable table = new GrowthTable(rounds, crowds);
			// First, because it also reads jobs that have ended.
			table.measure("verify", 1, Integer.getInteger("bench.verified", 20_000), CrowdVariant::verify);
			table.measureOperations();
			report.section(Section.of("Growth with queued jobs",
					"One operation in namespaces that hold so many queued jobs. `verify` reads everything by design.",
					table.tables("queued jobs")));
		}
		finally {
			crowds.forEach(Crowd::close);
		}
	}

}
