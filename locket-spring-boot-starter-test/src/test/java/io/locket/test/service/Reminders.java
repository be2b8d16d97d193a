package io.locket.test.service;

import java.util.List;

import io.locket.job.Jobs;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/**
 * A bean that enqueues in transactions.
 */
public class Reminders {

	private final Jobs jobs;

	private final JdbcClient database;

	public Reminders(Jobs jobs, ObjectProvider<JdbcClient> database) {
		this.jobs = jobs;
		this.database = database.getIfAvailable();
	}

	@Transactional
	public void note(String text) {
		this.database.sql("create table if not exists note (text varchar(100))").update();
		this.database.sql("insert into note values (?)").param(text).update();
		if (!TransactionAspectSupport.currentTransactionStatus().isNewTransaction()) {
			throw new IllegalStateException("A job starts its own transaction");
		}
	}

	public List<String> notes() {
		return this.database.sql("select text from note").query(String.class).list();
	}

	@Transactional
	public void remind(String address) {
		this.jobs.enqueue("billing.send", address);
	}

}
