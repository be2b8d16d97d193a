package io.locket.examples.migration.sidekiq;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class MyJob {

	private final List<Long> users = new CopyOnWriteArrayList<>();

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
	public void perform(long userId) {
		this.users.add(userId);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, key = "{#userId}")
	public void stamped(long userId, long timestamp) {
		this.users.add(userId);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
	public void hourly(long userId) {
		this.users.add(userId);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING, onDuplicate = DuplicateStrategy.REJECT,
			onConflict = ConflictStrategy.RESCHEDULE)
	public void both(long userId) {
		this.users.add(userId);
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.REPLACE, key = "{#userId}")
	public void latest(long userId, String address) {
		this.users.add(userId);
	}

	public List<Long> users() {
		return this.users;
	}

}
