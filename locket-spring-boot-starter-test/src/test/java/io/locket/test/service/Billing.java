package io.locket.test.service;

import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;

/**
 * Jobs whose bodies are defined by tests.
 */
public class Billing {

	private final List<String> done = new CopyOnWriteArrayList<>();

	private final Jobs jobs;

	private Body body = () -> {
	};

	public Billing(Jobs jobs) {
		this.jobs = jobs;
	}

	/**
	 * Returns the records of the bodies, in their order.
	 */
	public List<String> done() {
		return this.done;
	}

	public void body(Body body) {
		this.body = body;
	}

	public void reset() {
		this.done.clear();
		this.body = () -> {
		};
	}

	@UniqueJob(name = "billing.bill", key = "{#customer, #period}", queue = "invoices",
			lock = LockStrategy.UNTIL_EXECUTED, retries = "1", backoff = "10s")
	public void bill(long customer, YearMonth period, String note) throws Exception {
		this.done.add("bill " + customer + " " + period + " " + note);
		this.body.run();
	}

	@UniqueJob(name = "billing.send", queue = "mails", lock = LockStrategy.NONE)
	public void send(String address) throws Exception {
		this.done.add("send " + address);
		this.body.run();
	}

	@UniqueJob(name = "billing.export", lock = LockStrategy.WHILE_EXECUTING, holdAtLeast = "5m",
			onConflict = ConflictStrategy.PARK)
	public void export(String month) throws Exception {
		this.done.add("export " + month);
		this.body.run();
	}

	@UniqueJob(name = "billing.audit", lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.REJECT)
	public void audit(String month) {
		this.done.add("audit " + month);
	}

	@UniqueJob(name = "billing.archive", lock = LockStrategy.WHILE_EXECUTING, onConflict = ConflictStrategy.RESCHEDULE,
			rescheduleAfter = "10s")
	public void archive(String month) {
		this.done.add("archive " + month);
	}

	@UniqueJob(name = "billing.digest", lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h",
			onConflict = ConflictStrategy.REJECT)
	public void digest(String month) throws Exception {
		this.done.add("digest " + month);
		this.body.run();
	}

	@UniqueJob(name = "billing.update", lock = LockStrategy.UNTIL_EXECUTING, key = "#customer",
			onDuplicate = DuplicateStrategy.REPLACE)
	public void update(long customer, String text) {
		this.done.add("update " + customer + " " + text);
	}

	@UniqueJob(name = "billing.loop", lock = LockStrategy.NONE)
	public void loop() {
		this.jobs.enqueue("billing.loop");
	}

	@UniqueJob(name = "billing.all", lock = LockStrategy.WHILE_EXECUTING)
	public void all(int count) throws Exception {
		this.done.add("all " + count);
		for (int i = 1; i <= count; i++) {
			this.jobs.enqueue("billing.bill", i, "2026-05", "of all");
		}
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofDays(1)), "billing.send", "accounts");
		this.body.run();
		this.done.add("all " + count + " is done");
	}

	/**
	 * A job body.
	 */
	@FunctionalInterface
	public interface Body {

		void run() throws Exception;

	}

}
