package io.locket.examples.migration.async;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Mailing {

	private final List<String> mails = new CopyOnWriteArrayList<>();

	@UniqueJob(queue = "mail", lock = LockStrategy.UNTIL_EXECUTED)
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
