package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.queue.QueueThroughput;
import io.locket.queue.ThroughputSample;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Decoder of the counts of a minute. {@code minutes.lua} describes their format.
 */
public final class MinutesFormat {

	private static final Log logger = LogFactory.getLog(MinutesFormat.class);

	private static final int VERSION = 1;

	private static final int SIZE = 4;

	private MinutesFormat() {
	}

	/**
	 * Reads a sample.
	 * @param bytes the stored sample
	 * @return the sample, or empty if a later version wrote it or it is damaged
	 */
	public static Optional<ThroughputSample> read(byte[] bytes) {
		try {
			FieldReader reader = new FieldReader(bytes);
			if (reader.number(1) != VERSION) {
				return Optional.empty();
			}
			Instant to = Instant.ofEpochMilli(reader.number(6));
			Instant from = Instant.ofEpochMilli(reader.number(6));
			List<QueueThroughput> queues = new ArrayList<>();
			while (reader.hasMore()) {
				queues.add(queue(reader));
			}
			return Optional.of(new ThroughputSample(from, to, queues));
		}
		catch (BufferUnderflowException ex) {
			logger.debug("Damaged counts of a minute are left out", ex);
			return Optional.empty();
		}
	}

	private static QueueThroughput queue(FieldReader reader) {
		return new QueueThroughput(reader.text(1), reader.number(SIZE), reader.number(SIZE), reader.number(SIZE),
				reader.number(SIZE), reader.number(SIZE), reader.number(SIZE), reader.number(SIZE),
				reader.number(SIZE));
	}

}
