package io.locket.examples.enqueuing;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

public interface Mailing {

	@UniqueJob(name = "mailing.send", key = "#recipient", queue = "mail", lock = LockStrategy.UNTIL_EXECUTED)
	void send(String recipient, String subject);

}
