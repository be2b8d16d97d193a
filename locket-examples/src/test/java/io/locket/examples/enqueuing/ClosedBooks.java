package io.locket.examples.enqueuing;

import java.util.Optional;

import io.locket.job.EnqueueGuard;
import io.locket.queue.spi.NewJob;

import org.springframework.stereotype.Component;

@Component
public class ClosedBooks implements EnqueueGuard {

	private volatile boolean closed;

	@Override
	public Optional<String> refusal(NewJob job) {
		boolean refused = this.closed && job.job().startsWith("billing.");
		return refused ? Optional.of("The books are closed") : Optional.empty();
	}

	void close() {
		this.closed = true;
	}

}
