package io.locket.benchmarks.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * Rounds in which variants take turns, so that a machine that gets slower or faster
 * meanwhile changes no ratio within a round. The first rounds warm up and do not count.
 * They are followed by further runs of each variant whose code is still being compiled,
 * as {@link Compilation} describes.
 */
public final class Rounds {

	private static final int WARM_UP_ROUNDS = Integer.getInteger("bench.warm-up", 2);

	private static final int PERCENT = Integer.getInteger("bench.percent", 100);

	/**
	 * Scripts of the variant itself, whose workers find their queue paused.
	 */
	private static final int MOST_SCRIPTS_AT_REST = 20;

	private static final int MOST_SCRIPTS_A_SECOND = 200;

	/**
	 * Time for other variants to come to rest.
	 */
	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

	/**
	 * Numbers of operations stay multiples of the largest bulk.
	 */
	private static final int STEP = 100;

	private final BenchmarkRedis redis;

	private final int rounds;

	public Rounds(BenchmarkRedis redis, int rounds) {
		this.redis = redis;
		this.rounds = rounds;
	}

	/**
	 * Returns more rounds, for runs that are so short that few of them vary much.
	 * @param factor the factor
	 * @return the rounds
	 */
	public Rounds times(int factor) {
		return new Rounds(this.redis, this.rounds * factor);
	}

	/**
	 * Runs each variant once in each round, and closes them at the end.
	 * @param intended the number of operations of a run, unless the system property
	 * {@code bench.percent} makes it smaller
	 * @param variants the variants, the reference among them
	 * @return the costs
	 */
	public Series compare(int intended, List<Variant> variants) {
		int operations = (intended > STEP) ? Math.max(STEP, intended * PERCENT / 100 / STEP * STEP) : intended;
		Series series = new Series();
		try {
			warmUp(operations, variants);
			for (int round = 0; round < this.rounds; round++) {
				for (int turn = 0; turn < variants.size(); turn++) {
					Variant variant = variants.get((turn + round) % variants.size());
					series.add(variant.name(), measure(variant, variant.operations(operations)));
				}
			}
		}
		finally {
			variants.forEach(Variant::close);
		}
		return series;
	}

	private void warmUp(int operations, List<Variant> variants) {
		for (int round = 0; round < WARM_UP_ROUNDS; round++) {
			variants.forEach((variant) -> measure(variant, variant.operations(operations)));
		}
		if (WARM_UP_ROUNDS > 0) {
			variants.forEach(
					(variant) -> Compilation.warmUp(() -> measure(variant, variant.operations(operations)).nanos()));
		}
	}

	/**
	 * Waits until no code is being compiled and no variant goes on beyond its turn, whose
	 * scripts would count in the next turn.
	 */
	private void awaitRest(Variant next) {
		long deadline = System.nanoTime() + PATIENCE;
		while (true) {
			RedisCost.Meter meter = new RedisCost.Meter(this.redis, RedisClient.ANY);
			long started = System.nanoTime();
			Compilation.awaitQuiet();
			long calls = meter.cost().calls();
			long nanos = System.nanoTime() - started;
			if (calls <= MOST_SCRIPTS_AT_REST + nanos * MOST_SCRIPTS_A_SECOND / 1e9) {
				return;
			}
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("Before the turn of '%s', other variants ran %d scripts in %d ms"
					.formatted(next.name(), calls, nanos / 1_000_000));
			}
		}
	}

	/**
	 * Returns the size of the run.
	 * @return a few words
	 */
	public String description() {
		return this.rounds + " rounds" + ((PERCENT < 100) ? " of " + PERCENT + " % of the operations" : "");
	}

	/**
	 * Returns the number of rounds that count.
	 * @return the number
	 */
	public int count() {
		return this.rounds;
	}

	/**
	 * Runs a variant once.
	 * @param variant the variant
	 * @param operations the number of operations
	 * @return the cost
	 */
	public Usage measure(Variant variant, int operations) {
		variant.prepare(operations);
		awaitRest(variant);
		RedisCost.Meter meter = new RedisCost.Meter(this.redis, variant);
		long cpu = CpuClock.nanos();
		long started = System.nanoTime();
		variant.run(operations);
		long nanos = System.nanoTime() - started;
		long spent = CpuClock.nanos() - cpu + variant.otherCpuNanos();
		RedisCost cost = meter.cost();
		variant.rest();
		return new Usage(operations, nanos, cost.micros(), cost.cpuMicros(), cost.calls(), spent);
	}

}
