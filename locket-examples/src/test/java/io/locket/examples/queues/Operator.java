package io.locket.examples.queues;

import java.util.List;

import io.locket.queue.JobStore;
import io.locket.queue.Violation;

import org.springframework.stereotype.Component;

@Component
class Operator {

	private final JobStore store;

	Operator(JobStore store) {
		this.store = store;
	}

	List<Violation> operate(String id) {
		JobStore store = this.store;
		store.counts("invoices");
		store.find(id);
		store.cancel(id);
		store.pause("invoices");
		store.resume("invoices");
		store.remove("invoices");
		store.verify();
		store.repair();
		return store.verify();
	}

}
