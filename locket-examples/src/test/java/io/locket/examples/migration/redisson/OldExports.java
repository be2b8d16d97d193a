package io.locket.examples.migration.redisson;

import java.util.concurrent.TimeUnit;

import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * The service with Redisson's locks.
 */
class OldExports {

	private final RedissonClient redisson;

	private int exports;

	OldExports(RedissonClient redisson) {
		this.redisson = redisson;
	}

	boolean export(String table) throws InterruptedException {
		RLock lock = this.redisson.getLock("export:" + table);
		if (!lock.tryLock(10, TimeUnit.SECONDS)) {
			return false;
		}
		try {
			write(table, 0);
			return true;
		}
		finally {
			lock.unlock();
		}
	}

	boolean exportFenced(String table) {
		RFencedLock lock = this.redisson.getFencedLock("fenced-export:" + table);
		Long token = lock.tryLockAndGetToken();
		if (token == null) {
			return false;
		}
		try {
			write(table, token);
			return true;
		}
		finally {
			lock.unlock();
		}
	}

	private void write(String table, long token) {
		this.exports++;
	}

	int exports() {
		return this.exports;
	}

}
