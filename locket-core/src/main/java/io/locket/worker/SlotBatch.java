package io.locket.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

import io.locket.queue.spi.RunEnd;
import io.locket.worker.run.HeldRun;
import io.locket.worker.run.HeldRun.EndedRun;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a slot that wait while it runs a body: those that it has taken and not started,
 * and those that have ended and are not settled. Also the number of jobs to take next. A
 * slot starts with one at a time. The number doubles while bodies are short, as long as
 * the next jobs together are expected to take at most a tenth of the maximum hold.
 * Thread-safe.
 */
final class SlotBatch {

	private static final int PARTS = 10;

	private final int most;

	private final long hold;

	private final LongSupplier nanoTime;

	private final Deque<HeldRun> pending = new ArrayDeque<>();

	private List<EndedRun> ended = new ArrayList<>();

	private int size = 1;

	/**
	 * Maximum expected time of the next body.
	 */
	private long expected;

	private long longest;

	private boolean measured;

	private boolean running;

	private long startedAt;

	private long takenAt;

	/**
	 * Creates an empty batch.
	 * @param most the maximum number of jobs to take at once
	 * @param hold the maximum time for which a job is held before it starts
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	SlotBatch(int most, Duration hold, LongSupplier nanoTime) {
		this.most = most;
		this.hold = hold.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a job that was taken.
	 */
	synchronized void add(HeldRun run) {
		this.takenAt = this.nanoTime.getAsLong();
		this.pending.add(run);
	}

	/**
	 * Returns the next job to run, and ends the previous one.
	 * @return the job, or {@code null} if none is left
	 */
	synchronized @Nullable HeldRun next() {
		HeldRun run = this.pending.poll();
		if (this.running || run != null) {
			long now = this.nanoTime.getAsLong();
			if (this.running) {
				this.longest = Math.max(this.longest, now - this.startedAt);
				this.measured = true;
			}
			this.startedAt = now;
		}
		this.running = run != null;
		return run;
	}

	/**
	 * Returns the number of jobs to take next, based on the bodies that have run since
	 * the last call.
	 */
	synchronized int size() {
		if (this.measured) {
			this.expected = Math.max(1, Math.max(this.longest, this.expected / 2));
			long fitting = Math.min(this.hold / PARTS / this.expected, 2L * this.size);
			this.size = (int) Math.max(1, Math.min(this.most, fitting));
			this.longest = 0;
			this.measured = false;
		}
		return this.size;
	}

	/**
	 * Adds a job that has ended and is not settled.
	 */
	synchronized void addEnded(EndedRun run) {
		this.ended.add(run);
	}

	/**
	 * Takes the jobs that have ended.
	 */
	synchronized List<EndedRun> takeEnded() {
		List<EndedRun> taken = this.ended;
		this.ended = new ArrayList<>();
		return taken;
	}

	synchronized boolean isEmpty() {
		return this.pending.isEmpty() && this.ended.isEmpty();
	}

	/**
	 * Takes the jobs that have ended, and those that have not started, which are
	 * returned.
	 */
	synchronized List<EndedRun> takeAll() {
		List<EndedRun> taken = takeEnded();
		for (HeldRun run : this.pending) {
			taken.add(run.ended(RunEnd.returned(run.job())));
		}
		this.pending.clear();
		return taken;
	}

	/**
	 * Takes the same jobs, if they have been held for too long.
	 */
	synchronized List<EndedRun> takeLate() {
		boolean late = !isEmpty() && this.nanoTime.getAsLong() - this.takenAt >= this.hold;
		return late ? takeAll() : List.of();
	}

}
