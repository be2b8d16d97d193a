package io.locket.benchmarks.queue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.job.Jobs;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Latency from an enqueue to the start on an idle worker of Locket with its defaults.
 */
final class LocketDelays implements DelaySource {

	private final ConfigurableApplicationContext context;

	LocketDelays(BenchmarkRedis redis) {
		this.context = LocketApplication.start(redis, "latency", "locket.worker.queues=default");
	}

	@Override
	public String name() {
		return "Locket";
	}

	@Override
	public double[] measure(int samples, long pause) {
		BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
		this.context.getBean(EmptyJobs.class).onStart((number) -> arrivals.add(System.nanoTime()));
		Jobs jobs = this.context.getBean(Jobs.class);
		double[] millis = new double[samples];
		for (int i = 0; i < samples; i++) {
			Waiting.sleep(pause);
			long sent = System.nanoTime();
			jobs.enqueue(EmptyJobs.LEASED, i);
			millis[i] = (Waiting.take(arrivals) - sent) / 1e6;
		}
		return millis;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
