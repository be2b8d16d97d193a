package io.locket.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.locket.benchmarks.footprint.IdleBenchmark;
import io.locket.benchmarks.footprint.MemoryBenchmark;
import io.locket.benchmarks.growth.ParkedGrowthBenchmark;
import io.locket.benchmarks.growth.QueuedGrowthBenchmark;
import io.locket.benchmarks.lock.HeldLocksBenchmark;
import io.locket.benchmarks.lock.LockBenchmark;
import io.locket.benchmarks.lock.RenewalBenchmark;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.network.NetworkBenchmark;
import io.locket.benchmarks.page.PerformancePage;
import io.locket.benchmarks.page.RunText;
import io.locket.benchmarks.queue.ContendedBenchmark;
import io.locket.benchmarks.queue.CrowdBenchmark;
import io.locket.benchmarks.queue.EnqueueBenchmark;
import io.locket.benchmarks.queue.FailureBenchmark;
import io.locket.benchmarks.queue.FleetBenchmark;
import io.locket.benchmarks.queue.KindsBenchmark;
import io.locket.benchmarks.queue.LatencyBenchmark;
import io.locket.benchmarks.queue.SlotsBenchmark;
import io.locket.benchmarks.queue.WorkerBenchmark;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.PartResult;
import io.locket.benchmarks.result.ResultsFile;
import io.locket.benchmarks.startup.StartUpBenchmark;
import io.locket.benchmarks.startup.StartUpProcess;

/**
 * Runs all benchmarks, or those that the arguments name, against one Redis on loopback.
 * Prints the results and exits with 1 if a gate is missed. The system property
 * {@code bench.rounds} sets the number of rounds, {@code bench.results} a file that keeps
 * the results, and {@code bench.report} the page to write from that file. The argument
 * {@code report} writes the page without a run.
 */
public final class BenchmarkApplication {

	private static final Map<String, Part> PARTS = parts();

	private BenchmarkApplication() {
	}

	private static Map<String, Part> parts() {
		Map<String, Part> parts = new LinkedHashMap<>();
		parts.put("worker", new WorkerBenchmark()::run);
		parts.put("contended", new ContendedBenchmark()::run);
		parts.put("failures", new FailureBenchmark()::run);
		parts.put("kinds", new KindsBenchmark()::run);
		parts.put("slots", new SlotsBenchmark()::run);
		parts.put("fleet", new FleetBenchmark()::run);
		parts.put("enqueue", new EnqueueBenchmark()::run);
		parts.put("lock", new LockBenchmark()::run);
		parts.put("held", new HeldLocksBenchmark()::run);
		parts.put("renewal", new RenewalBenchmark()::run);
		parts.put("crowd", new CrowdBenchmark()::run);
		parts.put("latency", new LatencyBenchmark()::run);
		parts.put("network", new NetworkBenchmark()::run);
		parts.put("memory", new MemoryBenchmark()::run);
		parts.put("idle", new IdleBenchmark()::run);
		parts.put("start-up", new StartUpBenchmark()::run);
		parts.put("queued", new QueuedGrowthBenchmark()::run);
		parts.put("parked", new ParkedGrowthBenchmark()::run);
		return parts;
	}

	/**
	 * Runs benchmarks.
	 * @param args the names of the benchmarks, none for all
	 * @throws IOException if the results cannot be written
	 */
	public static void main(String[] args) throws IOException {
		if (args.length > 0 && StartUpProcess.ARGUMENT.equals(args[0])) {
			StartUpProcess.run(args);
			return;
		}
		List<String> names = (args.length > 0) ? Arrays.asList(args) : List.copyOf(PARTS.keySet());
		boolean kept = true;
		ResultsFile file = new ResultsFile(Path.of(System.getProperty("bench.results", "target/benchmarks.json")));
		if (!List.of("report").equals(names)) {
			names.forEach(BenchmarkApplication::require);
			// Fails before a part runs.
			file.read();
			kept = run(names, file);
		}
		String page = System.getProperty("bench.report");
		if (page != null) {
			Files.writeString(Path.of(page), new PerformancePage(inOrder(file.read())).render());
		}
		System.exit(kept ? 0 : 1);
	}

	private static void require(String name) {
		if (!PARTS.containsKey(name)) {
			throw new IllegalArgumentException("No benchmark '" + name + "': choose from " + PARTS.keySet());
		}
	}

	private static boolean run(List<String> names, ResultsFile file) throws IOException {
		List<Gate> gates = new ArrayList<>();
		try (BenchmarkRedis redis = BenchmarkRedis.start()) {
			Rounds rounds = new Rounds(redis, Integer.getInteger("bench.rounds", 7));
			String machine = Machine.describe(redis, rounds);
			System.out.println(machine);
			for (String name : names) {
				Report report = new Report();
				redis.clear();
				Objects.requireNonNull(PARTS.get(name)).run(redis, rounds, report);
				report.sections().forEach((section) -> System.out.println(RunText.of(section)));
				file.put(name, new PartResult(LocalDate.now(ZoneOffset.UTC).toString(), machine, report.sections(),
						report.gates()));
				gates.addAll(report.gates());
			}
		}
		System.out.print(RunText.of(gates));
		return gates.stream().noneMatch(Gate::isFailure);
	}

	/**
	 * Returns results in the order of the parts.
	 */
	static Map<String, PartResult> inOrder(Map<String, PartResult> results) {
		Map<String, PartResult> ordered = new LinkedHashMap<>();
		PARTS.keySet().stream().filter(results::containsKey).forEach((name) -> ordered.put(name, results.get(name)));
		return ordered;
	}

}
