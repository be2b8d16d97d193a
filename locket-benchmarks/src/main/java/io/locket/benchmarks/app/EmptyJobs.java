package io.locket.benchmarks.app;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

/**
 * Jobs whose bodies do nothing but report that they started.
 */
public class EmptyJobs {

	/**
	 * Name of a job that is unique while it runs.
	 */
	public static final String LEASED = "leased";

	/**
	 * Name of a job that is unique until it has ended.
	 */
	public static final String UNIQUE = "unique";

	/**
	 * Name of a job of a number that is unique until it has ended.
	 */
	public static final String NUMBERED = "numbered";

	/**
	 * Name of a job that is not unique.
	 */
	public static final String PLAIN = "plain";

	/**
	 * Name of a job of a number. Some of these jobs fail once.
	 */
	public static final String FAILING = "failing";

	/**
	 * Name of a job of a number. Some of its runs fail.
	 */
	public static final String UNRELIABLE = "unreliable";

	/**
	 * Name of a job of a number that fails, and is not repeated.
	 */
	public static final String DYING = "dying";

	/**
	 * Name of a job of a number that is unique for a period.
	 */
	public static final String CLAIMING = "claiming";

	/**
	 * Name of a job that is unique for a period.
	 */
	public static final String CLAIMING_TEXT = "claiming-text";

	/**
	 * Name of a job of a number with a minimum hold.
	 */
	public static final String HOLDING = "holding";

	/**
	 * Name of a job of a number that is unique while it waits.
	 */
	public static final String WAITING = "waiting";

	/**
	 * Name of a job of a number that is unique while it waits, and while it runs.
	 */
	public static final String WAITING_AND_LEASED = "waiting-and-leased";

	/**
	 * Name of a job of a number that replaces one that waits.
	 */
	public static final String REPLACING = "replacing";

	/**
	 * Name of a job that replaces one that waits with the same text.
	 */
	public static final String REPLACING_TEXT = "replacing-text";

	private final int failEach;

	private final Set<Long> failed = ConcurrentHashMap.newKeySet();

	private final AtomicLong runs = new AtomicLong();

	private volatile LongConsumer started = (number) -> {
	};

	/**
	 * Creates the jobs.
	 * @param failEach of how many jobs one fails once, or of how many runs one fails; 0
	 * for none
	 */
	EmptyJobs(int failEach) {
		this.failEach = failEach;
	}

	/**
	 * Counts a latch down for each body that starts.
	 * @param latch the latch
	 */
	public void countDown(CountDownLatch latch) {
		this.started = (number) -> latch.countDown();
	}

	/**
	 * Sets the action that each body does.
	 * @param action takes the argument of the job
	 */
	public void onStart(LongConsumer action) {
		this.started = action;
	}

	/**
	 * Returns the number of jobs.
	 * @return the number
	 */
	public static long count() {
		return Stream.of(EmptyJobs.class.getDeclaredMethods())
			.filter((method) -> method.isAnnotationPresent(UniqueJob.class))
			.count();
	}

	@UniqueJob(name = LEASED)
	public void leased(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = UNIQUE, lock = LockStrategy.UNTIL_EXECUTED)
	public void unique(String text) {
		this.started.accept(0);
	}

	@UniqueJob(name = NUMBERED, lock = LockStrategy.UNTIL_EXECUTED)
	public void numbered(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = PLAIN, lock = LockStrategy.NONE)
	public void plain(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = CLAIMING, lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "10s")
	public void claiming(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = CLAIMING_TEXT, lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "10s")
	public void claimingText(String text) {
		this.started.accept(0);
	}

	@UniqueJob(name = HOLDING, holdAtLeast = "1ms")
	public void holding(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = WAITING, lock = LockStrategy.UNTIL_EXECUTING)
	public void waiting(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = WAITING_AND_LEASED, lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING)
	public void waitingAndLeased(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = REPLACING, lock = LockStrategy.UNTIL_EXECUTING, onDuplicate = DuplicateStrategy.REPLACE)
	public void replacing(long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = REPLACING_TEXT, key = "#text", lock = LockStrategy.UNTIL_EXECUTING,
			onDuplicate = DuplicateStrategy.REPLACE)
	public void replacingText(String text, long number) {
		this.started.accept(number);
	}

	@UniqueJob(name = FAILING, backoff = "5ms")
	public void failing(long number) {
		if (this.failEach > 0 && number % this.failEach == 0 && this.failed.add(number)) {
			throw new IllegalStateException("The first attempt fails");
		}
		this.failed.remove(number);
		this.started.accept(number);
	}

	@UniqueJob(name = UNRELIABLE, backoff = "5ms", retries = "25")
	public void unreliable(long number) {
		if (this.failEach > 0 && this.runs.incrementAndGet() % this.failEach == 0) {
			throw new IllegalStateException("This run fails");
		}
		this.started.accept(number);
	}

	@UniqueJob(name = DYING, retries = "0")
	public void dying(long number) {
		this.started.accept(number);
		throw new IllegalStateException("Each attempt fails");
	}

	@UniqueJob(name = "guarded")
	public void guarded(long number) {
		this.started.accept(number);
	}

}
