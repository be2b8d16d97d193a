package io.locket.examples.delayed;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Mail {

	@UniqueJob(queue = "mail", lock = LockStrategy.NONE)
	public void remind(long customerId, String subject) {
	}

}
