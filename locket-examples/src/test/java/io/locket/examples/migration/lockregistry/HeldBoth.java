package io.locket.examples.migration.lockregistry;

import java.util.concurrent.locks.Lock;

import io.locket.UniqueJob;

import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.stereotype.Component;

@Component
public class HeldBoth {

	private final LockRegistry<?> registry;

	private int exports;

	HeldBoth(LockRegistry<?> registry) {
		this.registry = registry;
	}

	@UniqueJob(name = "export")
	public void export(String table) {
		Lock old = this.registry.obtain("export-" + table);
		if (old.tryLock()) {
			try {
				write(table);
			}
			finally {
				old.unlock();
			}
		}
	}

	private void write(String table) {
		this.exports++;
	}

	public int exports() {
		return this.exports;
	}

}
