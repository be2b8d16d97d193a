package io.locket.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * The workers of other products that a benchmark compares.
 */
public final class Peers {

	/**
	 * Name of BullMQ, which is left out where Node is not there.
	 */
	public static final String BULLMQ = "BullMQ";

	/**
	 * Number of delayed jobs before the rounds. They take long, and most of their code is
	 * that of other jobs.
	 */
	public static final int DELAYED_WARM_UP = 300;

	private Peers() {
	}

	/**
	 * Returns workers that run many jobs.
	 * @param redis the Redis of the run
	 * @return the workers, at rest
	 */
	public static List<Variant> workers(BenchmarkRedis redis) {
		List<Variant> workers = new ArrayList<>(
				List.of(new SpringIntegrationPeer(redis), new DbSchedulerPeer(), new QuartzPeer(), new JobRunrPeer()));
		bullMq(redis, 0, 0).ifPresent(workers::add);
		return workers;
	}

	/**
	 * Returns workers whose latency is measured.
	 * @param redis the Redis of the run
	 * @return the workers, at rest
	 */
	public static List<DelaySource> delays(BenchmarkRedis redis) {
		List<DelaySource> sources = new ArrayList<>(
				List.of(new SpringIntegrationPeer(redis), new DbSchedulerPeer(), new QuartzPeer()));
		bullMq(redis, 0, 0).ifPresent(sources::add);
		return sources;
	}

	/**
	 * Returns workers that start delayed jobs on time.
	 * @param redis the Redis of the run
	 * @param delay the delay in milliseconds
	 * @return the workers, at rest
	 */
	public static List<DelaySource> delayed(BenchmarkRedis redis, long delay) {
		return bullMq(redis, delay, 0).stream().map(DelaySource.class::cast).toList();
	}

	/**
	 * Returns workers that run jobs some of which fail once.
	 * @param redis the Redis of the run
	 * @param failEach of how many jobs one fails
	 * @return the workers, at rest
	 */
	public static List<Variant> failing(BenchmarkRedis redis, int failEach) {
		return bullMq(redis, 0, failEach).stream().map(Variant.class::cast).toList();
	}

	private static Optional<BullMqPeer> bullMq(BenchmarkRedis redis, long delay, int failEach) {
		return NodeProject.install().map((project) -> new BullMqPeer(redis, project, delay, failEach));
	}

}
