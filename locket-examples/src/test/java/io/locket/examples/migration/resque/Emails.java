package io.locket.examples.migration.resque;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Emails {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	private final CountDownLatch gate = new CountDownLatch(1);

	@UniqueJob(queue = "emails")
	public void confirm(long orderId) throws InterruptedException {
		send("confirmation of order " + orderId);
	}

	@UniqueJob(queue = "emails", key = "{#orderId}")
	public void remind(long orderId, Instant startedAt) throws InterruptedException {
		send("reminder of order " + orderId);
	}

	private void send(String mail) throws InterruptedException {
		this.sent.add(mail);
		this.gate.await();
	}

	public List<String> sent() {
		return this.sent;
	}

	public void open() {
		this.gate.countDown();
	}

}
