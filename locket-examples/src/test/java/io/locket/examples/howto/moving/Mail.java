package io.locket.examples.howto.moving;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Mail {

	@UniqueJob(name = "mail.send", queue = "messages", lock = LockStrategy.UNTIL_EXECUTED)
	public void send(long customerId) {
		if (customerId <= 0) {
			throw new IllegalArgumentException("No customer");
		}
	}

}
