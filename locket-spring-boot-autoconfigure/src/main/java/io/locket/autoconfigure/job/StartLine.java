package io.locket.autoconfigure.job;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.autoconfigure.ConfiguredSchedules;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.lease.LocketRedis;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.job.catalog.UniqueJobCatalog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Start-up log line: version, namespace, Redis, the number of jobs and schedules, and the
 * served queues. It is logged once, also if the application has child contexts.
 */
public final class StartLine implements ApplicationListener<ApplicationReadyEvent> {

	private static final Log logger = LogFactory.getLog(StartLine.class);

	/**
	 * A class in a package without beans.
	 */
	static final Class<?> VERSIONED = UniqueJobCatalog.class;

	private final LocketInstance instance;

	private final LocketProperties properties;

	private final UniqueJobCatalog catalog;

	private final ObjectProvider<LocketRedis> redis;

	private final ObjectProvider<ConfiguredSchedules> schedules;

	private final AtomicBoolean logged = new AtomicBoolean();

	StartLine(LocketInstance instance, LocketProperties properties, UniqueJobCatalog catalog,
			ObjectProvider<LocketRedis> redis, ObjectProvider<ConfiguredSchedules> schedules) {
		this.instance = instance;
		this.properties = properties;
		this.catalog = catalog;
		this.redis = redis;
		this.schedules = schedules;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (this.logged.compareAndSet(false, true)) {
			logger.info(text());
		}
	}

	/**
	 * Returns the line.
	 * @return the line
	 */
	public String text() {
		LocketRedis redis = this.redis.getIfAvailable();
		ConfiguredSchedules configured = this.schedules.getIfAvailable();
		Set<String> served = WorkerGroupSpec.servedQueues(this.properties.getWorker());
		return "Locket" + version() + ": namespace '" + this.instance.namespace() + "', "
				+ ((redis != null) ? "Redis " + redis.description() : "no Redis") + ", " + this.catalog.jobs().size()
				+ " job(s), " + ((configured != null) ? configured.definitions().size() : 0) + " schedule(s), "
				+ (served.isEmpty() ? "no queues served" : "serving queues " + served);
	}

	/**
	 * Returns the version of the jar of the catalog. Spring's ahead-of-time processing
	 * generates classes of the application in packages with auto-configurations, such as
	 * this one. The version of such a package may be that of the application.
	 */
	private static String version() {
		String version = VERSIONED.getPackage().getImplementationVersion();
		return (version != null) ? " " + version : "";
	}

}
