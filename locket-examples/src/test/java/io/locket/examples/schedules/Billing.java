package io.locket.examples.schedules;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<String> written = new CopyOnWriteArrayList<>();

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
	public void close() {
		this.written.add("closed");
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
	public void report(String kind, int customers) {
		this.written.add(kind + " " + customers);
	}

	List<String> written() {
		return this.written;
	}

}
