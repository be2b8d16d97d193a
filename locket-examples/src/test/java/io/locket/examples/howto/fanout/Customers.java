package io.locket.examples.howto.fanout;

import java.util.List;
import java.util.stream.LongStream;

import org.springframework.stereotype.Component;

/**
 * Customers from 1 to 2500.
 */
@Component
class Customers {

	private static final long LAST = 2500;

	List<Long> idsAfter(long id, int limit) {
		return LongStream.rangeClosed(id + 1, Math.min(id + limit, LAST)).boxed().toList();
	}

}
