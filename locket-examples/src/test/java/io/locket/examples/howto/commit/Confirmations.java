package io.locket.examples.howto.commit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Confirmations {

	private final Jobs jobs;

	private final JdbcClient jdbc;

	private final Clock clock;

	Confirmations(Jobs jobs, JdbcClient jdbc, ObjectProvider<Clock> clock) {
		this.jobs = jobs;
		this.jdbc = jdbc;
		this.clock = clock.getIfAvailable(Clock::systemUTC);
	}

	@UniqueJob(name = "confirmations.send", queue = "mail", lock = LockStrategy.UNTIL_EXECUTED)
	@Transactional
	public void send(long orderId) {
		mail(orderId);
		this.jdbc.sql("update orders set confirmed = true where id = ?").param(orderId).update();
	}

	@UniqueJob(name = "confirmations.enqueueMissing", queue = "mail", lock = LockStrategy.UNTIL_EXECUTED)
	public void enqueueMissing() {
		Instant before = this.clock.instant().minus(Duration.ofMinutes(5));
		List<Long> missing = this.jdbc.sql("select id from orders where not confirmed and placed_at < ? limit 1000")
			.param(before.atOffset(ZoneOffset.UTC))
			.query(Long.class)
			.list();
		this.jobs.enqueueAll(missing.stream()
			.map((orderId) -> JobRequest.of(Confirmations.class, (confirmations) -> confirmations.send(orderId)))
			.toList());
	}

	private void mail(long orderId) {
		if (orderId <= 0) {
			throw new IllegalArgumentException("No order");
		}
	}

}
