package io.locket.benchmarks.peer;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.redis.BenchmarkRedis;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * BullMQ in a process of Node, with a concurrency of eight and an empty body. Some jobs
 * may fail once. Each line to the process is a command, each line from it the reply.
 */
final class BullMqPeer implements Variant, DelaySource {

	private final Process process;

	private final BufferedWriter commands;

	private final BufferedReader replies;

	private final JsonMapper mapper = new JsonMapper();

	private final long delay;

	private long cpuMicros;

	/**
	 * Starts the process.
	 * @param redis the Redis
	 * @param project the project of Node
	 * @param delay the delay of the jobs whose latency is measured, in milliseconds
	 * @param failEach of how many jobs one fails once, or 0 for none
	 */
	BullMqPeer(BenchmarkRedis redis, NodeProject project, long delay, int failEach) {
		this.delay = delay;
		try {
			this.process = project.start(List.of(redis.host(), String.valueOf(redis.port()),
					String.valueOf(JobPeer.THREADS), String.valueOf(failEach)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.commands = this.process.outputWriter();
		this.replies = this.process.inputReader();
	}

	@Override
	public String name() {
		return "BullMQ";
	}

	@Override
	public Set<String> directCommands() {
		return Set.of("bzpopmin");
	}

	@Override
	public void prepare(int operations) {
		call("prepare", operations);
	}

	@Override
	public void run(int operations) {
		this.cpuMicros = call("run", operations).get("cpuMicros").asLong();
	}

	@Override
	public long otherCpuNanos() {
		return this.cpuMicros * 1000;
	}

	@Override
	public int warmUpSamples() {
		return (this.delay > 0) ? Peers.DELAYED_WARM_UP : DelaySource.super.warmUpSamples();
	}

	@Override
	public double[] measure(int samples, long pause) {
		JsonNode millis = call("delays " + samples + " " + this.delay, pause).get("millis");
		double[] delays = new double[samples];
		for (int i = 0; i < samples; i++) {
			delays[i] = millis.get(i).asDouble();
		}
		return delays;
	}

	private JsonNode call(String command, long number) {
		try {
			this.commands.write(command + " " + number + "\n");
			this.commands.flush();
			String reply = this.replies.readLine();
			if (reply == null) {
				throw new IllegalStateException("The process of BullMQ has ended: see bullmq.log beside its script");
			}
			return this.mapper.readTree(reply);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
