package io.locket.examples.howto.throttle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Reminders {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	@UniqueJob(name = "reminders.send", key = "#customerId", queue = "mail", lock = LockStrategy.UNTIL_EXPIRED,
			uniqueFor = "1h")
	public void send(long customerId, String text) {
		mail(customerId, text);
	}

	private void mail(long customerId, String text) {
		this.sent.add(customerId + " " + text);
	}

	public List<String> sent() {
		return this.sent;
	}

}
