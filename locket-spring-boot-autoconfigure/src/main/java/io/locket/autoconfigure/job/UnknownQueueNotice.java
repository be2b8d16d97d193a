package io.locket.autoconfigure.job;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.locket.autoconfigure.diagnostics.NearNames;
import io.locket.autoconfigure.diagnostics.WrittenKeys;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.UniqueJobDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Start-up log lines about queues that are configured and unused, probably because a name
 * is misspelt. They cover configured queues without a job or worker here, also those of
 * schedules, worker queues that cannot be served, and workers that serve none of the
 * queues of the jobs here.
 */
final class UnknownQueueNotice implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UnknownQueueNotice.class);

	private final LocketProperties properties;

	private final UniqueJobCatalog catalog;

	private final BooleanSupplier queueThere;

	UnknownQueueNotice(LocketProperties properties, UniqueJobCatalog catalog, BooleanSupplier queueThere) {
		this.properties = properties;
		this.catalog = catalog;
		this.queueThere = queueThere;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> owned = this.catalog.jobs()
			.stream()
			.map(UniqueJobDefinition::queue)
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> served = WorkerGroupSpec.queueNames(this.properties.getWorker());
		if (this.properties.getWorker().isEnabled()) {
			checkWorkers(owned, served);
		}
		Set<String> known = new TreeSet<>(owned);
		known.add(this.properties.getQueue().getDefaultName());
		known.addAll(served);
		this.properties.getQueues()
			.keySet()
			.forEach((queue) -> check(WrittenKeys.property("locket.queues", queue), queue, known));
		this.properties.getSchedules()
			.forEach((name, schedule) -> check(WrittenKeys.property("locket.schedules", name) + ".queue",
					schedule.getQueue(), known));
	}

	private void checkWorkers(Set<String> owned, Set<String> served) {
		if (!this.queueThere.getAsBoolean()) {
			if (!served.isEmpty()) {
				logger.warn("There is no JobQueue bean, so no worker here serves " + served
						+ ". Configure spring.data.redis.* and add locket-spring-boot-starter");
			}
		}
		else if (served.isEmpty()) {
			reportNoWorker(owned);
		}
		else {
			checkServed(owned, served);
		}
	}

	private void reportNoWorker(Set<String> owned) {
		Set<String> named = new TreeSet<>(owned);
		if (this.properties.getSchedules().isEmpty()) {
			named.remove(this.properties.getQueue().getDefaultName());
		}
		if (!named.isEmpty()) {
			logger.info("This process runs no queued jobs because locket.worker.queues is not set. Jobs of queues "
					+ named + " run on processes that serve them");
		}
	}

	/**
	 * Warns if the workers serve none of the queues of the jobs here. One common queue is
	 * enough, because options can select another queue and a job may only be called
	 * directly. It is not enough if the name of another one looks misspelt.
	 */
	private static void checkServed(Set<String> owned, Set<String> served) {
		Set<String> foreign = new TreeSet<>(served);
		foreign.removeAll(owned);
		Set<String> unserved = new TreeSet<>(owned);
		unserved.removeAll(served);
		boolean common = foreign.size() < served.size();
		boolean misspelt = foreign.stream()
			.anyMatch((queue) -> unserved.stream().anyMatch((other) -> isTypo(queue, other)));
		if (!owned.isEmpty() && (!common || misspelt)) {
			logger.warn("Workers here serve " + foreign + ", to which no job here belongs, and do not serve " + unserved
					+ ", to which jobs here belong. Check the spelling of the names in locket.worker, unless other"
					+ " applications use these queues");
		}
	}

	/**
	 * Returns whether two names differ in one letter, or in the order of two. Names that
	 * differ in digits are numbered.
	 */
	private static boolean isTypo(String one, String other) {
		int distance = NearNames.distance(one, other);
		boolean numbered = one.replaceAll("\\d", "").equals(other.replaceAll("\\d", ""));
		return !numbered && (distance == 1 || (distance == 2 && Arrays.equals(letters(one), letters(other))));
	}

	private static int[] letters(String name) {
		return name.chars().sorted().toArray();
	}

	private static void check(String property, @Nullable String queue, Set<String> known) {
		if (queue != null && !known.contains(queue)) {
			logger.warn("The queue '" + queue + "' of " + property
					+ " is that of no @UniqueJob here, and no worker here serves it. Known queues are " + known
					+ ". Check the spelling, unless other applications use it");
		}
	}

}
