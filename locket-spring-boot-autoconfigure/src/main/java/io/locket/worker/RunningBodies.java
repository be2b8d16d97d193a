package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.locket.worker.RunningBody.Interruption;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The bodies that run now, what interrupts them, and a word on those that do not care.
 */
final class RunningBodies {

	private static final Log logger = LogFactory.getLog(RunningBodies.class);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Set<RunningBody> bodies = ConcurrentHashMap.newKeySet();

	private final ScheduledExecutorService watch;

	private volatile boolean interrupted;

	RunningBodies(ScheduledExecutorService watch) {
		this.watch = watch;
	}

	RunningBody begin(String description) {
		RunningBody body = new RunningBody(description);
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
	 * Interrupt a body later, unless that is taken back.
	 */
	Future<?> interruptAfter(Duration delay, RunningBody body) {
		return this.watch.schedule(() -> interrupt(body, Interruption.TIMEOUT), delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	void interrupt(RunningBody body, Interruption reason) {
		body.interrupt(reason);
		this.watch.schedule(() -> {
			if (body.isRunning()) {
				logger.warn("The body of " + body + " was interrupted " + PATIENCE.toSeconds() + " s ago (" + reason
						+ ") and goes on: until it ends it keeps its worker and the leases that it still has."
						+ " Let it heed interrupts");
			}
		}, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Interrupt every body, also those that are about to begin.
	 */
	void interruptAll() {
		this.interrupted = true;
		this.bodies.forEach((body) -> body.interrupt(Interruption.SHUTDOWN));
	}

	List<RunningBody> running() {
		return List.copyOf(this.bodies);
	}

}
