package io.locket.queue;

import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.key.JobKeys;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link NewJob}: by default in queue {@code q}, due now, without a
 * strategy, with a lease of 30 s, two retries, and a rescheduling delay of 5 s.
 */
public final class TestJob {

	public static final Duration LEASE = Duration.ofSeconds(30);

	private static final JobKeys KEYS = new JobKeys();

	private final NewJob.Builder builder;

	private TestJob(String id) {
		this.builder = NewJob.builder(id, "job", "q").arguments("[1]").leaseFor(LEASE).retries(2);
	}

	public static TestJob of(String id) {
		return new TestJob(id);
	}

	public static JobKey key(String name) {
		return key(name, "[\"" + name + "\"]");
	}

	public static JobKey key(String name, String text) {
		return new JobKey("job", KEYS.keyOf("job", List.of(name), false).digest(), text);
	}

	public TestJob named(String job) {
		this.builder.job(job);
		return this;
	}

	public TestJob in(String queue) {
		this.builder.queue(queue);
		return this;
	}

	public TestJob arguments(String arguments) {
		this.builder.arguments(arguments);
		return this;
	}

	public TestJob with(LockStrategy lock, String key) {
		return with(lock, key(key));
	}

	public TestJob with(LockStrategy lock, JobKey key) {
		this.builder.unique(lock, (lock != LockStrategy.NONE) ? key : null,
				(lock == LockStrategy.UNTIL_EXPIRED) ? Duration.ofMinutes(10) : null);
		return this;
	}

	public TestJob onDuplicate(DuplicateStrategy onDuplicate) {
		this.builder.onDuplicate(onDuplicate);
		return this;
	}

	public TestJob onConflict(ConflictStrategy onConflict) {
		this.builder.onConflict(onConflict);
		return this;
	}

	public TestJob after(Duration delay) {
		this.builder.start(NewJob.Start.in(delay));
		return this;
	}

	public TestJob start(NewJob.Start start) {
		this.builder.start(start);
		return this;
	}

	public TestJob uniqueFor(@Nullable Duration uniqueFor) {
		NewJob job = build();
		this.builder.unique(job.lock(), job.key(), uniqueFor);
		return this;
	}

	public TestJob leaseFor(Duration leaseFor) {
		this.builder.leaseFor(leaseFor);
		return this;
	}

	public TestJob holdAtLeast(Duration holdAtLeast) {
		this.builder.holdAtLeast(holdAtLeast);
		return this;
	}

	public TestJob maxDelay(@Nullable Duration maxDelay) {
		this.builder.maxDelay(maxDelay);
		return this;
	}

	public TestJob retries(int retries) {
		this.builder.retries(retries);
		return this;
	}

	public TestJob trace(@Nullable String trace) {
		this.builder.trace(trace);
		return this;
	}

	public NewJob build() {
		return this.builder.build();
	}

}
