package io.locket.examples.howto.tenants;

import java.util.Set;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Service;

@Service
public class Uploads {

	private static final Set<String> LARGE_TENANTS = Set.of("acme");

	private final Jobs jobs;

	Uploads(Jobs jobs) {
		this.jobs = jobs;
	}

	public EnqueueResult uploaded(String tenant, long fileId) {
		String queue = LARGE_TENANTS.contains(tenant) ? "imports-" + tenant : "imports";
		return this.jobs.enqueue(Imports.class, (imports) -> imports.importAny(tenant, fileId),
				EnqueueOptions.now().queue(queue));
	}

}
