package io.locket.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.locket.log.SafeLog;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.QueueCalls.Reply;
import io.locket.worker.run.HeldRun.EndedRun;
import io.locket.worker.run.HeldRuns;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of the jobs that a slot holds behind a slow body of its batch. Jobs that
 * have not started are returned. The ends of those that have ended are stored.
 * Thread-safe.
 */
final class HeldJobs {

	private static final Log logger = LogFactory.getLog(HeldJobs.class);

	private static final int SETTLED_AT_ONCE = 100;

	private final List<WorkerGroup> groups;

	private final QueueCalls calls;

	private final HeldRuns runs;

	private final Consumer<String> onEnded;

	/**
	 * Jobs that are not settled, by the thread that settles them. The lists do not
	 * change.
	 */
	private final Map<Thread, List<EndedRun>> settling = new ConcurrentHashMap<>();

	/**
	 * Creates an instance without a thread of its own.
	 * @param groups the groups whose slots hold jobs
	 * @param calls the calls of the queue
	 * @param runs the leases of the jobs
	 * @param onEnded the consumer of each queue that may run another job
	 */
	HeldJobs(List<WorkerGroup> groups, QueueCalls calls, HeldRuns runs, Consumer<String> onEnded) {
		this.groups = groups;
		this.calls = calls;
		this.runs = runs;
		this.onEnded = onEnded;
	}

	/**
	 * Settles the jobs that have been held for too long. Another slot, possibly of
	 * another process, can run those that have not started.
	 */
	void settleLate() {
		List<EndedRun> late = this.groups.stream().flatMap((group) -> group.takeLate().stream()).toList();
		if (!late.isEmpty()) {
			settle(late);
			logger.debug("Settled " + late.size() + " job(s) that were held in a batch for too long");
		}
	}

	/**
	 * Returns the jobs whose end, or whose return, was sent to the queue without a
	 * confirmation. They include those of the slots.
	 */
	List<EndedRun> unsettled() {
		List<EndedRun> unsettled = new ArrayList<>();
		this.groups.forEach((group) -> unsettled.addAll(group.settling()));
		this.settling.values().forEach(unsettled::addAll);
		return unsettled;
	}

	/**
	 * Starts to settle all jobs.
	 * @return the thread for that, or {@code null} if there is none. Slots then settle
	 * their own jobs after their bodies
	 */
	@Nullable Thread startSettlingAll() {
		try {
			Thread settling = new Thread(
					() -> settle(this.groups.stream().flatMap((group) -> group.takeAll().stream()).toList()),
					"locket-worker-settle");
			settling.setDaemon(true);
			settling.start();
			return settling;
		}
		catch (Error ex) {
			logger.debug("Jobs of a batch are settled after its last body", ex);
			return null;
		}
	}

	/**
	 * Settles jobs. If that fails, their leases are not renewed any more, so the jobs
	 * return when these expire.
	 */
	private void settle(List<EndedRun> ended) {
		try {
			for (int from = 0; from < ended.size(); from += SETTLED_AT_ONCE) {
				this.settling.put(Thread.currentThread(), ended.subList(from, ended.size()));
				settleAtOnce(ended.subList(from, Math.min(ended.size(), from + SETTLED_AT_ONCE)));
			}
		}
		catch (RuntimeException | Error ex) {
			ended.forEach((run) -> run.run().abandon());
			SafeLog.write(() -> logger.error("The settlement of jobs that are held behind a slow body failed"
					+ " unexpectedly. They return when their leases expire. Report this as a bug", ex));
		}
		finally {
			this.settling.remove(Thread.currentThread());
		}
	}

	private void settleAtOnce(List<EndedRun> ended) {
		Reply reply = this.calls.send(ended.stream().map(EndedRun::end).toList(), null,
				() -> ended.stream().allMatch(EndedRun::isHopeless));
		this.runs.end(ended, (reply != null) ? reply.ends() : List.of());
		ended.stream()
			.filter((run) -> run.end().kind() != RunEnd.Kind.RETURNED)
			.map((run) -> run.run().job().record().queue())
			.distinct()
			.forEach(this.onEnded);
	}

}
