package io.locket.examples.howto.idempotence;

import java.math.BigDecimal;

import io.locket.UniqueJob;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Payments {

	private final JdbcClient jdbc;

	private final PaymentProvider provider;

	Payments(JdbcClient jdbc, PaymentProvider provider) {
		this.jdbc = jdbc;
		this.provider = provider;
	}

	@UniqueJob(name = "payments.charge", key = "#orderId", queue = "payments")
	@Transactional
	public void charge(long orderId, BigDecimal amount) {
		if (isCharged(orderId)) {
			return;
		}
		String receipt = this.provider.charge("order-" + orderId, amount);
		this.jdbc.sql("insert into payment (order_id, amount, receipt) values (?, ?, ?)")
			.params(orderId, amount, receipt)
			.update();
	}

	private boolean isCharged(long orderId) {
		return this.jdbc.sql("select count(*) from payment where order_id = ?")
			.param(orderId)
			.query(Integer.class)
			.single() > 0;
	}

}
