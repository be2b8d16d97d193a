package io.locket.examples.migration.quelocks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class ProcessCreditCardJob {

	private final AtomicInteger running = new AtomicInteger();

	private final CountDownLatch gate = new CountDownLatch(1);

	@UniqueJob(lock = LockStrategy.NONE, queue = "remote_api_jobs")
	public void run(long cardId) throws InterruptedException {
		charge(cardId);
	}

	private void charge(long cardId) throws InterruptedException {
		this.running.incrementAndGet();
		this.gate.await();
		this.running.decrementAndGet();
	}

	public int running() {
		return this.running.get();
	}

	public void open() {
		this.gate.countDown();
	}

}
