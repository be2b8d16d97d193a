package io.locket.job;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * The jobs that are known, by name and by method. Thread-safe.
 */
final class JobIndex {

	private final Map<String, BoundJob> byName = new ConcurrentSkipListMap<>();

	private final Map<Method, List<BoundJob>> byMethod = new ConcurrentHashMap<>();

	void add(BoundJob job) {
		List<BoundJob> jobs = this.byMethod.computeIfAbsent(job.job().method(),
				(method) -> new CopyOnWriteArrayList<>());
		synchronized (jobs) {
			if (jobs.stream().noneMatch((known) -> known.bean().equals(job.bean()))) {
				jobs.add(job);
			}
		}
		this.byName.putIfAbsent(job.job().name(), job);
	}

	@Nullable BoundJob named(String name) {
		return this.byName.get(name);
	}

	List<UniqueJobDefinition> all() {
		return this.byName.values().stream().map(BoundJob::job).toList();
	}

	List<BoundJob> of(Method method) {
		return this.byMethod.getOrDefault(method, Collections.emptyList());
	}

}
