package io.locket.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;

import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.result.Gate;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A lock in a process that holds many others.
 */
public final class HeldLocksBenchmark {

	private static final int OPERATIONS = 2_000;

	public void run(BenchmarkRedis redis, Rounds rounds, Report report) {
		List<Variant> variants = new ArrayList<>();
		for (int held : new int[] { 0, 10_000, 50_000 }) {
			variants.add(new HoldingProcess(redis, held));
		}
		Series series = rounds.compare(OPERATIONS, variants);
		report.comparison("A lock beside others",
				"Taking a free lock and releasing it by `LeaseService`, one thread, in a process that holds others.",
				series, HoldingProcess.nameOf(0), "lock");
		report.gate(Gate.atLeast("Rate of a lock while the process holds 10,000 others, none = 1",
				series.ratio(HoldingProcess.nameOf(10_000), HoldingProcess.nameOf(0), Usage::perSecond), 0.85));
	}

	/**
	 * A process that holds some leases for as long as the benchmark takes.
	 */
	private static final class HoldingProcess implements Variant {

		private final int held;

		private final ConfigurableApplicationContext context;

		private final LeaseService leases;

		private final List<Lease> holding = new ArrayList<>();

		HoldingProcess(BenchmarkRedis redis, int held) {
			this.held = held;
			// No renewal falls into a measured run.
			this.context = LocketApplication.start(redis, "held-" + held, "locket.lease.duration=1h",
					"locket.lease.heartbeat=20m");
			this.leases = this.context.getBean(LeaseService.class);
			for (int i = 0; i < held; i++) {
				this.holding.add(this.leases.tryAcquire("held", i).orElseThrow());
			}
		}

		static String nameOf(int held) {
			return "Locket, holding " + held;
		}

		@Override
		public String name() {
			return nameOf(this.held);
		}

		@Override
		public void run(int operations) {
			for (int i = 0; i < operations; i++) {
				this.leases.tryAcquire("lock", i).orElseThrow().close();
			}
		}

		@Override
		public void close() {
			this.holding.forEach(Lease::close);
			this.context.close();
		}

	}

}
