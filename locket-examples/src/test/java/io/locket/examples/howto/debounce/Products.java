package io.locket.examples.howto.debounce;

import java.time.Duration;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Service;

@Service
public class Products {

	private final Jobs jobs;

	Products(Jobs jobs) {
		this.jobs = jobs;
	}

	public EnqueueResult changed(long productId, long version) {
		return this.jobs.enqueue(SearchIndex.class, (index) -> index.update(productId, version),
				EnqueueOptions.in(Duration.ofSeconds(30)));
	}

}
