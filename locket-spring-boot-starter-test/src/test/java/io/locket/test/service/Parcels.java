package io.locket.test.service;

import java.util.Map;
import java.util.Set;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

/**
 * A job of another service, which this service only enqueues.
 */
public interface Parcels {

	@UniqueJob(name = "parcels.send", aliases = "parcels.post", key = "#order", queue = "parcels",
			lock = LockStrategy.UNTIL_EXECUTED)
	void send(long order, Map<String, Integer> items, Set<String> remarks);

}
