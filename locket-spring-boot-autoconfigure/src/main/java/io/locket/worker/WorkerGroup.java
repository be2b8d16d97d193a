package io.locket.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * The slots of a group, on threads of their own.
 */
final class WorkerGroup {

	private final GroupSettings settings;

	private final WaitingRoom room;

	private final List<Slot> slots;

	private final SimpleAsyncTaskExecutor executor;

	WorkerGroup(GroupSettings settings, WaitingRoom room, List<Slot> slots) {
		this.settings = settings;
		this.room = room;
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
					"Worker group '" + this.settings.name() + "' is to run on virtual threads, which need Java 21;"
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
		}
	}

	int size() {
		return this.slots.size();
	}

	/**
	 * Return whether news of a queue concern this group.
	 * @param queue the queue, or {@code null} for all
	 */
	boolean serves(@Nullable String queue) {
		return queue == null || this.settings.queueNames().contains(queue);
	}

	WorkerStatus.Group status() {
		int running = (int) this.slots.stream().filter((slot) -> slot.watch().runsABody()).count();
		return new WorkerStatus.Group(this.settings.name(), this.settings.queueNames(), size(), running);
	}

	/**
	 * Return what keeps a thread of this group from its work.
	 * @return a text, or {@code null} if nothing does
	 */
	@Nullable String stalled(AnswerWatch answers) {
		StallCheck check = answers.check(StallCheck.patience(this.settings.pollInterval()));
		long lookAt = this.room.lookAt();
		for (Slot slot : this.slots) {
			String stalled = slot.watch().stalled(check);
			if (stalled != null) {
				return stalled;
			}
			if (slot.watch().waitsLong(check) && check.isLate(lookAt)) {
				return "Nobody of group '" + this.settings.name() + "' has looked at its queues for "
						+ check.seconds(lookAt) + " s: take a thread dump, and restart this process";
			}
		}
		return null;
	}

	void onNews() {
		this.room.onNews();
	}

	/**
	 * Let nobody wait any more.
	 * @return the jobs that have not been started
	 */
	List<HeldRun> stop() {
		this.room.close();
		List<HeldRun> pending = new ArrayList<>();
		this.slots.forEach((slot) -> pending.addAll(slot.takePending()));
		return pending;
	}

}
