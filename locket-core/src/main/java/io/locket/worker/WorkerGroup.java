package io.locket.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.locket.worker.reservation.IdleSlots;
import io.locket.worker.run.HeldRun.EndedRun;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.WorkerThreads;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Slots of a worker group and their threads.
 */
final class WorkerGroup {

	private final GroupSettings settings;

	private final IdleSlots idleSlots;

	private final List<Slot> slots;

	private final SimpleAsyncTaskExecutor executor;

	/**
	 * Number of slots that have a thread.
	 */
	private int started;

	WorkerGroup(GroupSettings settings, IdleSlots idleSlots, List<Slot> slots) {
		this.settings = settings;
		this.idleSlots = idleSlots;
		this.slots = List.copyOf(slots);
		this.executor = new SimpleAsyncTaskExecutor("locket-worker-" + settings.name() + "-");
		this.executor.setDaemon(true);
		if (settings.threads() == WorkerThreads.VIRTUAL) {
			useVirtualThreads();
		}
	}

	private void useVirtualThreads() {
		try {
			this.executor.setVirtualThreads(true);
		}
		catch (UnsupportedOperationException ex) {
			throw new IllegalStateException(
					"Worker group '" + this.settings.name() + "' uses virtual threads, which need Java 21;"
							+ " this is Java " + Runtime.version().feature() + ". Use threads=platform",
					ex);
		}
	}

	void start(CountDownLatch ended) {
		for (Slot slot : this.slots) {
			this.executor.execute(() -> {
				try {
					slot.run();
				}
				finally {
					ended.countDown();
				}
			});
			this.started++;
		}
	}

	/**
	 * Counts the slots without a thread as ended, after a start that has failed.
	 */
	void endUnstarted(CountDownLatch ended) {
		for (int i = this.started; i < size(); i++) {
			ended.countDown();
		}
	}

	int size() {
		return this.slots.size();
	}

	/**
	 * Returns whether a notification about a queue concerns this group.
	 * @param queue the queue, or {@code null} for all
	 */
	boolean serves(@Nullable String queue) {
		return queue == null || this.settings.queueNames().contains(queue);
	}

	WorkerStatus.Group status() {
		int running = (int) this.slots.stream().filter((slot) -> slot.watch().isInBody()).count();
		return new WorkerStatus.Group(this.settings.name(), this.settings.queueNames(), size(), running);
	}

	/**
	 * Returns the reason why a thread of this group is stalled.
	 * @return a text, or {@code null} if none is stalled
	 */
	@Nullable String stalled(CallWatch watch) {
		StallCheck check = watch.check(StallCheck.patience(this.settings.pollInterval()));
		long nextPollAt = this.idleSlots.nextPollAt();
		for (Slot slot : this.slots) {
			String stalled = slot.watch().stalled(check);
			if (stalled != null) {
				return stalled;
			}
			if (slot.watch().waitsLong(check) && check.isLate(nextPollAt)) {
				return "No thread of group '" + this.settings.name() + "' has polled its queues for "
						+ check.seconds(nextPollAt) + " s: take a thread dump, and restart this process";
			}
		}
		return null;
	}

	void onNotification() {
		this.idleSlots.onNotification();
	}

	/**
	 * Takes the jobs that have been held for too long, as ended runs.
	 */
	List<EndedRun> takeLate() {
		List<EndedRun> late = new ArrayList<>();
		this.slots.forEach((slot) -> late.addAll(slot.batch().takeLate()));
		return late;
	}

	/**
	 * Returns the jobs that have ended and whose end the queue has not confirmed.
	 */
	List<EndedRun> settling() {
		List<EndedRun> settling = new ArrayList<>();
		this.slots.forEach((slot) -> settling.addAll(slot.settling()));
		return settling;
	}

	/**
	 * Ends the waiting of all slots.
	 */
	void stop() {
		this.idleSlots.close();
	}

	/**
	 * Takes the jobs that have not started, or are not settled, as ended runs.
	 */
	List<EndedRun> takeAll() {
		List<EndedRun> held = new ArrayList<>();
		this.slots.forEach((slot) -> held.addAll(slot.batch().takeAll()));
		return held;
	}

}
