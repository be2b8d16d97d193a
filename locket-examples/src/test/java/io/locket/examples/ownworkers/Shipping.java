package io.locket.examples.ownworkers;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.locket.worker.consumer.ConsumedJob;
import io.locket.worker.consumer.JobConsumer;
import io.locket.worker.consumer.JobConsumers;

public class Shipping implements Runnable {

	private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

	private final JobConsumers consumers;

	Shipping(JobConsumers consumers) {
		this.consumers = consumers;
	}

	@Override
	public void run() {
		try (JobConsumer consumer = this.consumers.open("shipping", "express", "standard")) {
			while (!consumer.isClosed()) {
				Optional<ConsumedJob> job = consumer.poll(Duration.ofSeconds(10));
				job.ifPresent(this::ship);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void ship(ConsumedJob job) {
		try {
			job.call(() -> {
				Object[] arguments = job.argumentsAs(String.class, int.class);
				send((String) arguments[0], (int) arguments[1], job.fencingToken());
				return null;
			});
		}
		catch (Exception ex) {
			job.fail(ex);
			return;
		}
		job.succeed();
	}

	void send(String parcel, int weight, long fencingToken) {
		if (weight < 0) {
			throw new IllegalArgumentException("No parcel weighs " + weight + " grams");
		}
		this.sent.add(parcel + " of " + weight + " grams" + ((fencingToken > 0) ? ", fenced" : ""));
	}

	BlockingQueue<String> sent() {
		return this.sent;
	}

}
