package io.locket.examples.migration.async;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.scheduling.annotation.Async;

/**
 * The service as an executor of the process runs it.
 */
public class OldMailing {

	private final List<String> mails = new CopyOnWriteArrayList<>();

	@Async
	public void send(String recipient, String subject) {
		deliver(recipient, subject);
	}

	private void deliver(String recipient, String subject) {
		this.mails.add(recipient + ": " + subject);
	}

	public List<String> mails() {
		return this.mails;
	}

}
