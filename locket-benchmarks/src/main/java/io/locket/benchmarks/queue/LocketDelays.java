package io.locket.benchmarks.queue;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.locket.benchmarks.app.EmptyJobs;
import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.measure.DelaySource;
import io.locket.benchmarks.measure.Waiting;
import io.locket.benchmarks.peer.Peers;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Latency from the due time to the start of a job, on an idle worker of Locket with its
 * defaults.
 */
final class LocketDelays implements DelaySource {

	private final ConfigurableApplicationContext context;

	private final long delay;

	/**
	 * Starts an application.
	 * @param redis the Redis
	 * @param delay the delay of the jobs in milliseconds
	 */
	LocketDelays(BenchmarkRedis redis, long delay) {
		this.context = LocketApplication.start(redis, "latency", "locket.worker.queues=default");
		this.delay = delay;
	}

	@Override
	public String name() {
		return "Locket";
	}

	@Override
	public int warmUpSamples() {
		return (this.delay > 0) ? Peers.DELAYED_WARM_UP : DelaySource.super.warmUpSamples();
	}

	@Override
	public double[] measure(int samples, long pause) {
		BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
		this.context.getBean(EmptyJobs.class).onStart((number) -> arrivals.add(System.nanoTime()));
		Jobs jobs = this.context.getBean(Jobs.class);
		EnqueueOptions options = (this.delay > 0) ? EnqueueOptions.in(Duration.ofMillis(this.delay))
				: EnqueueOptions.now();
		double[] millis = new double[samples];
		for (int i = 0; i < samples; i++) {
			Waiting.sleep(pause);
			long sent = System.nanoTime();
			jobs.enqueue(options, EmptyJobs.LEASED, i);
			millis[i] = (Waiting.take(arrivals) - sent) / 1e6 - this.delay;
		}
		return millis;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
