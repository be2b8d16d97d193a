package com.example.billing;

import java.time.YearMonth;
import java.util.concurrent.TimeUnit;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

@Service
public class Billing {

	private static final Logger logger = LoggerFactory.getLogger(Billing.class);

	private final int seconds;

	public Billing(@Value("${billing.seconds:0}") int seconds) {
		this.seconds = seconds;
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, noRetryFor = IllegalArgumentException.class)
	public void bill(long customerId, YearMonth period) throws InterruptedException {
		logger.info("Billing customer {} for {}", customerId, period);
		if (customerId == 0) {
			throw new IllegalArgumentException("There is no customer 0");
		}
		TimeUnit.SECONDS.sleep(this.seconds);
		logger.info("Billed customer {} for {}", customerId, period);
	}

}
