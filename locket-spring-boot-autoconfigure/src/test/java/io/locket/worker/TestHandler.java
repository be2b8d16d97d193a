package io.locket.worker;

import java.time.Duration;

import io.locket.queue.JobRecord;
import io.locket.worker.run.JobHandler;
import org.jspecify.annotations.Nullable;

/**
 * {@link JobHandler} that runs a lambda.
 */
public class TestHandler implements JobHandler {

	private final String job;

	private final Body body;

	public @Nullable Duration timeout;

	public @Nullable Class<? extends Throwable> last;

	public @Nullable RuntimeException unreadable;

	public boolean masked;

	public TestHandler(String job, Body body) {
		this.job = job;
		this.body = body;
	}

	@Override
	public String job() {
		return this.job;
	}

	@Override
	public boolean maskArguments() {
		return this.masked;
	}

	@Override
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	@Override
	public boolean isFinal(Throwable failure) {
		return this.last != null && this.last.isInstance(failure);
	}

	@Override
	public Body bind(JobRecord record) {
		if (this.unreadable != null) {
			throw this.unreadable;
		}
		return this.body;
	}

}
