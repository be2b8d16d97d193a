package io.locket.benchmarks.queue;

import java.time.Duration;

import io.locket.benchmarks.app.LocketApplication;
import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Handover between two applications with Locket.
 */
final class LocketHandover extends Handover {

	private final ConfigurableApplicationContext one;

	private final ConfigurableApplicationContext other;

	LocketHandover(BenchmarkRedis redis) {
		this.one = LocketApplication.start(redis, "handover");
		this.other = LocketApplication.start(redis, "handover");
	}

	@Override
	public String name() {
		return "Locket, LeaseService";
	}

	@Override
	Runnable hold() {
		return acquire(this.one);
	}

	@Override
	Runnable await() {
		return acquire(this.other);
	}

	private static Runnable acquire(ConfigurableApplicationContext context) {
		LeaseService leases = context.getBean(LeaseService.class);
		return leases.tryAcquire(LeaseRequest.of(leases.keyOf("handover", 1)).waiting(Duration.ofSeconds(10)))
			.orElseThrow()::close;
	}

	@Override
	public void close() {
		this.one.close();
		this.other.close();
	}

}
