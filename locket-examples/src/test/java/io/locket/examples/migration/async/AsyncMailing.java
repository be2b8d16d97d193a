package io.locket.examples.migration.async;

import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;

@Service
public class AsyncMailing {

	private final Mailing mailing;

	AsyncMailing(Mailing mailing) {
		this.mailing = mailing;
	}

	@Async
	public void send(String recipient, String subject) {
		this.mailing.send(recipient, subject);
	}

}
