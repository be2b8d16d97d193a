package io.locket.aop.call;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Running guarded direct calls. The closing of the context waits for them, after
 * executors and web server were stopped and before connections are. It waits for as long
 * as Spring waits for a phase of its shutdown
 * ({@code spring.lifecycle.timeout-per-shutdown-phase}). A call that takes longer keeps
 * its lease. Thread-safe.
 */
public final class RunningCalls implements SmartLifecycle {

	/**
	 * Phase after executors and web server, and before connection factories, whose phase
	 * is 0.
	 */
	static final int PHASE = 1000;

	private int calls;

	private boolean running;

	private @Nullable Runnable onEmpty;

	synchronized void begin() {
		this.calls++;
	}

	void end() {
		Runnable action = null;
		synchronized (this) {
			this.calls--;
			if (this.calls == 0) {
				action = this.onEmpty;
				this.onEmpty = null;
			}
		}
		if (action != null) {
			action.run();
		}
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	@Override
	public synchronized void stop() {
		this.running = false;
	}

	@Override
	public void stop(Runnable callback) {
		synchronized (this) {
			this.running = false;
			if (this.calls > 0) {
				this.onEmpty = callback;
				return;
			}
		}
		callback.run();
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
