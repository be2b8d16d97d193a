package io.locket.worker.run;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.locket.queue.JobRecord;
import io.locket.worker.run.RunningBody.Interruption;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Running bodies and their interruption. A body that ignores an interrupt is logged.
 * Thread-safe.
 */
public final class RunningBodies {

	private static final Log logger = LogFactory.getLog(RunningBodies.class);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Set<RunningBody> bodies = ConcurrentHashMap.newKeySet();

	private final ScheduledExecutorService watch;

	private volatile boolean interrupted;

	public RunningBodies(ScheduledExecutorService watch) {
		this.watch = watch;
	}

	RunningBody begin(JobRecord job) {
		RunningBody body = new RunningBody(job);
		this.bodies.add(body);
		if (this.interrupted) {
			body.interrupt(Interruption.SHUTDOWN);
		}
		return body;
	}

	void end(RunningBody body) {
		this.bodies.remove(body);
	}

	/**
	 * Schedules the interruption of a body, which can be cancelled.
	 */
	Future<?> interruptAfter(Duration delay, RunningBody body) {
		return this.watch.schedule(() -> interrupt(body, Interruption.TIMEOUT), delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	void interrupt(RunningBody body, Interruption reason) {
		body.interrupt(reason);
		this.watch.schedule(() -> {
			if (body.isRunning()) {
				logger.warn("The body of " + body + " was interrupted " + PATIENCE.toSeconds() + " s ago (" + reason
						+ ") and still runs. Until it ends it keeps its worker and the leases that it still holds."
						+ " Make the body respond to interrupts");
			}
		}, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Interrupts all bodies, including those that are about to begin.
	 */
	public void interruptAll() {
		this.interrupted = true;
		this.bodies.forEach((body) -> body.interrupt(Interruption.SHUTDOWN));
	}

	public List<RunningBody> running() {
		return List.copyOf(this.bodies);
	}

}
