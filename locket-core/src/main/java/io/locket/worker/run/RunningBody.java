package io.locket.worker.run;

import io.locket.aop.call.BodyInterrupter;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * Body that runs on a thread. It is interrupted only while it runs, and the interrupt
 * flag is cleared at its end, because the thread belongs to the worker. Thread-safe.
 */
public final class RunningBody {

	private final BodyInterrupter interrupter = BodyInterrupter.begin();

	private final String thread = Thread.currentThread().getName();

	private final JobRecord job;

	private boolean running = true;

	private @Nullable Interruption interruption;

	RunningBody(JobRecord job) {
		this.job = job;
	}

	/**
	 * Interrupts the body, unless it has ended.
	 * @param reason the reason
	 */
	synchronized void interrupt(Interruption reason) {
		if (this.running) {
			this.interruption = (this.interruption != null) ? this.interruption : reason;
			this.interrupter.interrupt();
		}
	}

	/**
	 * Ends the body. Called on its thread.
	 * @return the reason of the first interrupt by Locket, or {@code null} if there was
	 * none
	 */
	synchronized @Nullable Interruption end() {
		this.running = false;
		// Before the end, which sets the flag again for an outer body.
		Thread.interrupted();
		this.interrupter.end();
		return this.interruption;
	}

	synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public String toString() {
		return "job " + this.job.job() + " (" + this.job.id() + ") on thread " + this.thread;
	}

	/**
	 * Reason for the interruption of a body.
	 */
	enum Interruption {

		/**
		 * Its lease is lost.
		 */
		LOST,

		/**
		 * It exceeds its timeout.
		 */
		TIMEOUT,

		/**
		 * The worker stops.
		 */
		SHUTDOWN

	}

}
