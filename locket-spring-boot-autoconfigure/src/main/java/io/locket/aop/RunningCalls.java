package io.locket.aop;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * The guarded direct calls that run, and their claim on the closing of the context: it
 * waits for them, for as long as Spring waits for a phase of its shutdown
 * ({@code spring.lifecycle.timeout-per-shutdown-phase}), after executors and web server
 * were stopped and before connections are. A call that takes longer keeps its lease.
 */
public final class RunningCalls implements SmartLifecycle {

	/**
	 * Stopped after executors and web server, and before connection factories, whose
	 * phase is 0.
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
