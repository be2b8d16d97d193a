package io.locket.examples.enqueuing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Deferred;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Registration {

	private final List<String> notes = new CopyOnWriteArrayList<>();

	private final Jobs jobs;

	Registration(Jobs jobs) {
		this.jobs = jobs;
	}

	@Transactional
	public void register(String email) {
		save(email);
		EnqueueResult result = this.jobs.enqueue(Mailing.class, (mailing) -> mailing.send(email, "Welcome"));
		if (result instanceof Deferred deferred) { // deferred.id() is its id, if it is
													// accepted
			deferred.result().whenComplete((enqueued, failure) -> note(email, enqueued, failure));
		}
	}

	private void save(String email) {
		if (email.isBlank()) {
			throw new IllegalArgumentException("No address");
		}
	}

	private void note(String email, @Nullable EnqueueResult enqueued, @Nullable Throwable failure) {
		this.notes.add(email + " " + ((enqueued != null) ? enqueued.getClass().getSimpleName() : failure));
	}

	List<String> notes() {
		return this.notes;
	}

}
