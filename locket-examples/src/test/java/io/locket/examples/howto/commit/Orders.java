package io.locket.examples.howto.commit;

import java.time.Clock;
import java.time.ZoneOffset;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {

	private final Jobs jobs;

	private final JdbcClient jdbc;

	private final Clock clock;

	Orders(Jobs jobs, JdbcClient jdbc, ObjectProvider<Clock> clock) {
		this.jobs = jobs;
		this.jdbc = jdbc;
		this.clock = clock.getIfAvailable(Clock::systemUTC);
	}

	@Transactional
	public EnqueueResult place(long orderId) {
		this.jdbc.sql("insert into orders (id, placed_at) values (?, ?)")
			.params(orderId, this.clock.instant().atOffset(ZoneOffset.UTC))
			.update();
		return this.jobs.enqueue(Confirmations.class, (confirmations) -> confirmations.send(orderId));
	}

}
