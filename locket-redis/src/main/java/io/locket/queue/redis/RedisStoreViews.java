package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.CountsFormat;
import io.locket.queue.redis.format.MinutesFormat;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Read-only views of the whole store: the overview of all queues, and the throughput.
 */
final class RedisStoreViews {

	private static final Log logger = LogFactory.getLog(RedisStoreViews.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	private final QueueCommands commands;

	RedisStoreViews(QueueCommands commands) {
		this.commands = commands;
	}

	StoreOverview overview() {
		BinaryReply reply = this.commands.runBinary("read the overview of all queues", QueueScript.OVERVIEW,
				List.of(Integer.toString(StoreOverview.MAX_QUEUES + 1)));
		List<QueueOverview> queues = new ArrayList<>();
		for (int i = 1; i < reply.size(); i += 3) {
			String waited = reply.text(i + 2);
			queues.add(new QueueOverview(CountsFormat.read(reply.text(i), reply.bytes(i + 1)),
					waited.isEmpty() ? null : Duration.ofMillis(Long.parseLong(waited))));
		}
		return new StoreOverview(Instant.ofEpochMilli(reply.number(0)), first(queues));
	}

	private List<QueueOverview> first(List<QueueOverview> queues) {
		if (queues.size() <= StoreOverview.MAX_QUEUES) {
			return queues;
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("There are more than " + StoreOverview.MAX_QUEUES
					+ " queues: overviews and meters leave out the last ones by name. Remove unused queues with"
					+ " JobAdministration.remove. This is logged once");
		}
		return queues.subList(0, StoreOverview.MAX_QUEUES);
	}

	List<ThroughputSample> throughput(int minutes) {
		ThroughputSample.requireMinutes(minutes);
		BinaryReply reply = this.commands.runBinary("read the counts of the last minutes", QueueScript.MINUTES,
				List.of("read", Integer.toString(minutes)));
		Instant now = Instant.ofEpochMilli(reply.number(0));
		List<ThroughputSample> samples = new ArrayList<>();
		for (int i = 1; i < reply.size(); i++) {
			MinutesFormat.read(reply.bytes(i))
				.filter((sample) -> sample.isWithin(now, minutes))
				.ifPresent(samples::add);
		}
		samples.sort(Comparator.comparing(ThroughputSample::to));
		return samples;
	}

}
