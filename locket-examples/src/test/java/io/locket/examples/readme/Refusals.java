package io.locket.examples.readme;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Refusals {

	private final AtomicInteger runs = new AtomicInteger();

	@UniqueJob(onConflict = ConflictStrategy.RAISE)
	public int raise() {
		return this.runs.incrementAndGet();
	}

	@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "10s")
	public int await() {
		return this.runs.incrementAndGet();
	}

	@UniqueJob(holdAtLeast = "30s")
	public void fire() {
		this.runs.incrementAndGet();
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
	public void hourly() {
		this.runs.incrementAndGet();
	}

	public int runs() {
		return this.runs.get();
	}

}
