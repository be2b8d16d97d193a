package io.locket.benchmarks.measure;

/**
 * Cost of one run of a variant.
 *
 * @param operations the number of operations
 * @param nanos the elapsed time in nanoseconds
 * @param redisMicros the time that Redis spent in commands of clients, scripts included,
 * in microseconds
 * @param redisCpuMicros the CPU time of the Redis process, network included, in
 * microseconds
 * @param redisCalls the number of commands of clients
 * @param cpuNanos the CPU time of the client in nanoseconds: this JVM, and the process of
 * a variant that has one
 */
public record Usage(int operations, long nanos, long redisMicros, long redisCpuMicros, long redisCalls, long cpuNanos) {

	/**
	 * Returns the rate.
	 * @return operations a second
	 */
	public double perSecond() {
		return this.operations * 1e9 / this.nanos;
	}

	/**
	 * Returns the time of Redis for an operation.
	 * @return microseconds
	 */
	public double redisMicrosEach() {
		return (double) this.redisMicros / this.operations;
	}

	/**
	 * Returns the CPU time of Redis for an operation.
	 * @return microseconds
	 */
	public double redisCpuMicrosEach() {
		return (double) this.redisCpuMicros / this.operations;
	}

	/**
	 * Returns the number of commands of clients for an operation.
	 * @return commands
	 */
	public double redisCallsEach() {
		return (double) this.redisCalls / this.operations;
	}

	/**
	 * Returns the CPU time of the client for an operation.
	 * @return microseconds
	 */
	public double cpuMicrosEach() {
		return this.cpuNanos / 1e3 / this.operations;
	}

}
