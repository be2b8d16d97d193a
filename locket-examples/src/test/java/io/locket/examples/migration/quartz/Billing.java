package io.locket.examples.migration.quartz;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private final List<Long> bills = new CopyOnWriteArrayList<>();

	@UniqueJob(onConflict = ConflictStrategy.PARK)
	public void bill(long customerId) {
		this.bills.add(customerId);
	}

	public List<Long> bills() {
		return this.bills;
	}

}
