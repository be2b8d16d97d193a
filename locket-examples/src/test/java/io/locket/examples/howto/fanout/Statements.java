package io.locket.examples.howto.fanout;

import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Statements {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	@UniqueJob(name = "statements.send", queue = "statements", lock = LockStrategy.UNTIL_EXECUTED)
	public void send(long customerId, YearMonth month) {
		mail(customerId, month);
	}

	private void mail(long customerId, YearMonth month) {
		this.sent.add(customerId + " " + month);
	}

	public List<String> sent() {
		return this.sent;
	}

}
