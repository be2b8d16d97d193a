package io.locket.examples.migration.redisson;

import io.locket.ConflictStrategy;
import io.locket.UniqueJob;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import org.springframework.stereotype.Component;

@Component
public class HeldBoth {

	private final RedissonClient redisson;

	private int exports;

	HeldBoth(RedissonClient redisson) {
		this.redisson = redisson;
	}

	@UniqueJob(name = "export", onConflict = ConflictStrategy.WAIT, waitFor = "10s")
	public void export(String table) {
		RLock old = this.redisson.getLock("export:" + table);
		if (!old.tryLock()) {
			throw new IllegalStateException("An old replica exports " + table);
		}
		try {
			write(table);
		}
		finally {
			old.unlock();
		}
	}

	private void write(String table) {
		this.exports++;
	}

	public int exports() {
		return this.exports;
	}

}
