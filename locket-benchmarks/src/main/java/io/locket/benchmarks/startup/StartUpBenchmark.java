package io.locket.benchmarks.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Section;
import io.locket.benchmarks.result.Table;

/**
 * Time that Locket adds to the start of an application with the jobs of the benchmarks.
 */
public final class StartUpBenchmark {

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Start> starts = List.of(new Start("without Locket", StartUpProcess.withoutLocket()),
				new Start("with Locket", "locket.enabled=true"),
				new Start("with Locket and a worker", "locket.worker.queues=default"));
		for (int round = -1; round < rounds.count(); round++) {
			for (int turn = 0; turn < starts.size(); turn++) {
				Start start = starts.get((turn + Math.max(round, 0)) % starts.size());
				double[] measured = StartUpProcess.start(redis, "start-up", List.of(start.property()));
				if (round >= 0) {
					start.measured().add(measured);
				}
			}
		}
		report.section(Section.of("Start-up",
				"From the start of the JVM to the end of `SpringApplication.run`: an application with Redis, Actuator "
						+ "and " + EmptyJobs.count()
						+ " jobs, each time in a new process. Ratios and added times are medians of those of each round.",
				new Table(Chapter.RATIOS, List.of("application", "time, without Locket = 1", "CPU, without Locket = 1"),
						starts.stream().map((start) -> start.ratios(starts.get(0))).toList()),
				new Table(Chapter.ABSOLUTE, List.of("application", "ms", "added, ms", "CPU, ms", "CPU added, ms"),
						starts.stream().map((start) -> start.row(starts.get(0))).toList())));
	}

	/**
	 * A way to start, and its times in each round.
	 */
	private record Start(String name, String property, List<double[]> measured) {

		Start(String name, String property) {
			this(name, property, new ArrayList<>());
		}

		List<String> row(Start reference) {
			return List.of(this.name, Report.number(median(0)), Report.number(added(0, reference)),
					Report.number(median(1)), Report.number(added(1, reference)));
		}

		List<String> ratios(Start reference) {
			return List.of(this.name, Report.number(ratio(0, reference)), Report.number(ratio(1, reference)));
		}

		private double median(int column) {
			return Series.median(this.measured.stream().mapToDouble((times) -> times[column]).toArray());
		}

		private double added(int column, Start reference) {
			return compared(column, reference, (ours, theirs) -> ours - theirs);
		}

		private double ratio(int column, Start reference) {
			return compared(column, reference, (ours, theirs) -> ours / theirs);
		}

		private double compared(int column, Start reference, DoubleBinaryOperator comparison) {
			double[] rounds = new double[this.measured.size()];
			for (int i = 0; i < rounds.length; i++) {
				rounds[i] = comparison.applyAsDouble(this.measured.get(i)[column], reference.measured().get(i)[column]);
			}
			return Series.median(rounds);
		}

	}

}
