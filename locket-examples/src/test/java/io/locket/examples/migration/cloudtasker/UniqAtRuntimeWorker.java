package io.locket.examples.migration.cloudtasker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class UniqAtRuntimeWorker {

	private final AtomicInteger runs = new AtomicInteger();

	private final CountDownLatch gate = new CountDownLatch(1);

	@UniqueJob(lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.RESCHEDULE)
	public void perform(String arg1, String arg2) throws InterruptedException {
		work();
	}

	private void work() throws InterruptedException {
		this.runs.incrementAndGet();
		this.gate.await();
	}

	public int runs() {
		return this.runs.get();
	}

	public void open() {
		this.gate.countDown();
	}

}
