package io.locket.examples.migration.quelocks;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class SomeJob {

	private final List<String> runs = new CopyOnWriteArrayList<>();

	private final CountDownLatch gate = new CountDownLatch(1);

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
	public void run(long userId, String bar) throws InterruptedException {
		work(userId, bar);
	}

	private void work(long userId, String bar) throws InterruptedException {
		this.runs.add(userId + " " + bar);
		this.gate.await();
	}

	public List<String> runs() {
		return this.runs;
	}

	public void open() {
		this.gate.countDown();
	}

}
