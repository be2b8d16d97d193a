package io.locket.queue;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link NewJob}: one of queue {@code q} that is due now and of no strategy,
 * with a lease of 30 s, two retries, and a rescheduling delay of 5 s.
 */
public final class TestJob {

	public static final Duration LEASE = Duration.ofSeconds(30);

	private final String id;

	private String job = "job";

	private String queue = "q";

	private String arguments = "[1]";

	private @Nullable JobKey key;

	private LockStrategy lock = LockStrategy.NONE;

	private DuplicateStrategy onDuplicate = DuplicateStrategy.REJECT;

	private ConflictStrategy onConflict = ConflictStrategy.PARK;

	private NewJob.Start start = NewJob.Start.NOW;

	private Duration leaseFor = LEASE;

	private @Nullable Duration uniqueFor;

	private Duration holdAtLeast = Duration.ZERO;

	private @Nullable Duration maxDelay;

	private int retries = 2;

	private @Nullable String trace;

	private TestJob(String id) {
		this.id = id;
	}

	public static TestJob of(String id) {
		return new TestJob(id);
	}

	public static JobKey key(String name) {
		return key(name, "[\"" + name + "\"]");
	}

	public static JobKey key(String name, String text) {
		return new JobKey("job", String.format("%08x", name.hashCode()).repeat(8), text);
	}

	public TestJob named(String job) {
		this.job = job;
		return this;
	}

	public TestJob in(String queue) {
		this.queue = queue;
		return this;
	}

	public TestJob arguments(String arguments) {
		this.arguments = arguments;
		return this;
	}

	public TestJob with(LockStrategy lock, String key) {
		return with(lock, key(key));
	}

	public TestJob with(LockStrategy lock, JobKey key) {
		this.lock = lock;
		this.key = (lock != LockStrategy.NONE) ? key : null;
		this.uniqueFor = (lock == LockStrategy.UNTIL_EXPIRED) ? Duration.ofMinutes(10) : null;
		return this;
	}

	public TestJob onDuplicate(DuplicateStrategy onDuplicate) {
		this.onDuplicate = onDuplicate;
		return this;
	}

	public TestJob onConflict(ConflictStrategy onConflict) {
		this.onConflict = onConflict;
		return this;
	}

	public TestJob after(Duration delay) {
		this.start = NewJob.Start.in(delay);
		return this;
	}

	public TestJob start(NewJob.Start start) {
		this.start = start;
		return this;
	}

	public TestJob uniqueFor(@Nullable Duration uniqueFor) {
		this.uniqueFor = uniqueFor;
		return this;
	}

	public TestJob leaseFor(Duration leaseFor) {
		this.leaseFor = leaseFor;
		return this;
	}

	public TestJob holdAtLeast(Duration holdAtLeast) {
		this.holdAtLeast = holdAtLeast;
		return this;
	}

	public TestJob maxDelay(@Nullable Duration maxDelay) {
		this.maxDelay = maxDelay;
		return this;
	}

	public TestJob retries(int retries) {
		this.retries = retries;
		return this;
	}

	public TestJob trace(@Nullable String trace) {
		this.trace = trace;
		return this;
	}

	public NewJob build() {
		return new NewJob(this.id, this.job, this.queue, this.arguments, this.key, this.lock, this.onDuplicate,
				this.onConflict, this.start, this.leaseFor, this.uniqueFor, this.holdAtLeast, Duration.ofSeconds(5),
				this.maxDelay, this.retries, this.trace);
	}

}
