package io.locket.benchmarks.measure;

/**
 * One way to get a job started, or a lock handed over, whose latency is measured.
 */
public interface DelaySource extends RedisClient, AutoCloseable {

	/**
	 * Returns the name that the report shows.
	 * @return the name
	 */
	String name();

	/**
	 * Returns the number of samples of a run before the rounds.
	 * @return the number
	 */
	default int warmUpSamples() {
		return 3000;
	}

	/**
	 * Measures latencies, one after the other on an idle system.
	 * @param samples the number of samples
	 * @param pause the time before each sample, in milliseconds
	 * @return the latencies in milliseconds
	 */
	double[] measure(int samples, long pause);

	@Override
	default void close() {
	}

}
