package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.job.definition.UniqueJobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Index of the known jobs by name, alias and method. Thread-safe.
 */
final class JobIndex {

	private final Map<String, BoundJob> byName = new ConcurrentSkipListMap<>();

	private final Map<String, BoundJob> byAlias = new ConcurrentHashMap<>();

	private final Map<String, List<BoundJob>> sharing = new ConcurrentHashMap<>();

	private final Map<Method, List<BoundJob>> byMethod = new ConcurrentHashMap<>();

	void add(BoundJob job) {
		List<BoundJob> jobs = this.byMethod.computeIfAbsent(job.job().method(),
				(method) -> new CopyOnWriteArrayList<>());
		addOnce(jobs, job);
		addOnce(this.sharing.computeIfAbsent(job.job().name(), (name) -> new CopyOnWriteArrayList<>()), job);
		this.byName.putIfAbsent(job.job().name(), job);
		job.job().aliases().forEach((alias) -> this.byAlias.putIfAbsent(alias, job));
	}

	private static void addOnce(List<BoundJob> jobs, BoundJob job) {
		synchronized (jobs) {
			if (jobs.stream().noneMatch((known) -> known.bean().equals(job.bean()))) {
				jobs.add(job);
			}
		}
	}

	/**
	 * Returns the jobs of all beans that share a name.
	 * @param name the name, not an alias
	 * @return the jobs, empty if there are none
	 */
	List<BoundJob> sharing(String name) {
		return this.sharing.getOrDefault(name, Collections.emptyList());
	}

	/**
	 * Returns the job that has or had a name.
	 * @param name the name or an alias
	 * @return the job, or {@code null} if there is none
	 */
	@Nullable BoundJob named(String name) {
		BoundJob job = this.byName.get(name);
		return (job != null) ? job : this.byAlias.get(name);
	}

	List<UniqueJobDefinition> all() {
		return this.byName.values().stream().map(BoundJob::job).toList();
	}

	/**
	 * Returns the jobs of all beans of a type.
	 * @param type the type
	 * @return the jobs, several of one name if beans share it
	 */
	List<BoundJob> ofBeans(Class<?> type) {
		List<BoundJob> jobs = new ArrayList<>();
		for (List<BoundJob> sameMethod : this.byMethod.values()) {
			for (BoundJob job : sameMethod) {
				if (type.isAssignableFrom(job.bean().type())) {
					jobs.add(job);
				}
			}
		}
		return jobs;
	}

	List<BoundJob> of(Method method) {
		return this.byMethod.getOrDefault(method, Collections.emptyList());
	}

}
