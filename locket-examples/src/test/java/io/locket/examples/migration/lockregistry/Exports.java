package io.locket.examples.migration.lockregistry;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.springframework.integration.support.locks.LockRegistry;

/**
 * The service before the change, without Locket.
 */
class Exports {

	private final LockRegistry<?> registry;

	private int exports;

	Exports(LockRegistry<?> registry) {
		this.registry = registry;
	}

	boolean export(String path) throws InterruptedException {
		Lock lock = this.registry.obtain(path);
		if (!lock.tryLock(50, TimeUnit.MILLISECONDS)) {
			return false;
		}
		try {
			this.exports++;
			return true;
		}
		finally {
			lock.unlock();
		}
	}

	int exports() {
		return this.exports;
	}

}
