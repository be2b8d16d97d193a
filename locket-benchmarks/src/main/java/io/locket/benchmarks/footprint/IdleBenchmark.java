package io.locket.benchmarks.footprint;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.CpuClock;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.redis.CommandMonitor;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;
import io.locket.benchmarks.result.Table;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Commands that an idle application sends, and its CPU time.
 */
public final class IdleBenchmark {

	private static final int SECONDS = 60;

	/**
	 * Each thread of a worker records its first poll, within half a minute.
	 */
	private static final int SETTLING = 45;

	/**
	 * The end of the key of the counts of the last minutes, which one process of a fleet
	 * stores in each minute.
	 */
	private static final String COUNTS = ":minutes";

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		Idle starter = measure(redis, "idle-starter");
		Idle worker = measure(redis, "idle-worker", "locket.worker.queues=default");
		report.section(Section.of("An idle application",
				"Over " + SECONDS + " seconds, after " + SETTLING + " seconds to settle.",
				new Table(Chapter.REDIS,
						List.of("application", "commands / s", "writes / s", "ms of the JVM's CPU / s"),
						List.of(starter.row("starter without queues"), worker.row("worker of one queue")))));
		report.gate(Gate.atMost("Commands a second of an idle starter without queues", starter.commands(), 0.2));
		report.gate(Gate.atMost("Commands a second of an idle worker", worker.commands(), 1));
		report.gate(Gate.atMost("Writes a second of an idle worker, without the counts of each minute",
				worker.writesOfPolls(), 0));
	}

	private static Idle measure(BenchmarkRedis redis, String namespace, String... properties) {
		try (ConfigurableApplicationContext context = LocketApplication.start(redis, namespace, properties)) {
			Waiting.sleep(SETTLING * 1_000L);
			try (CommandMonitor monitor = new CommandMonitor(redis)) {
				long cpu = CpuClock.nanos();
				Waiting.sleep(SECONDS * 1_000L);
				double millis = (CpuClock.nanos() - cpu) / 1e6;
				Set<String> writing = redis.writingCommands();
				List<CommandMonitor.Command> writes = Stream
					.concat(monitor.ofScripts().stream(), monitor.ofClients().stream())
					.filter((command) -> writing.contains(command.name()))
					.toList();
				long counts = writes.stream().filter((write) -> write.first().endsWith(COUNTS)).count();
				return new Idle((double) monitor.ofClients().size() / SECONDS, (double) writes.size() / SECONDS,
						(double) (writes.size() - counts) / SECONDS, millis / SECONDS);
			}
		}
	}

	/**
	 * Cost of an idle application for a second.
	 */
	private record Idle(double commands, double writes, double writesOfPolls, double cpuMillis) {

		List<String> row(String application) {
			return List.of(application, Report.number(this.commands), Report.number(this.writes),
					Report.number(this.cpuMillis));
		}

	}

}
