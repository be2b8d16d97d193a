package io.locket.benchmarks.queue;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * Latency of {@code LPUSH} to a client that waits in {@code BRPOP}.
 */
final class FloorDelays implements DelaySource {

	private static final String LIST = "latency";

	private final StatefulRedisConnection<String, String> producer;

	private final StatefulRedisConnection<String, String> consumer;

	FloorDelays(BenchmarkRedis redis) {
		this.producer = redis.connect();
		this.consumer = redis.connect();
	}

	@Override
	public String name() {
		return "floor, LPUSH to BRPOP";
	}

	@Override
	public Set<String> directCommands() {
		return Set.of("lpush", "brpop");
	}

	@Override
	public double[] measure(int samples, long pause) {
		BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
		Thread thread = new Thread(() -> {
			for (int i = 0; i < samples; i++) {
				this.consumer.sync().brpop(10, LIST);
				arrivals.add(System.nanoTime());
			}
		});
		thread.start();
		double[] millis = new double[samples];
		for (int i = 0; i < samples; i++) {
			Waiting.sleep(pause);
			long sent = System.nanoTime();
			this.producer.sync().lpush(LIST, "job");
			millis[i] = (Waiting.take(arrivals) - sent) / 1e6;
		}
		return millis;
	}

	@Override
	public void close() {
		this.producer.close();
		this.consumer.close();
	}

}
