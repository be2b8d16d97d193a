package io.locket.schedule;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.JobKeyException;
import io.locket.job.JobTemplate;
import io.locket.job.JobTemplates;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.PayloadTooLargeException;
import io.locket.queue.spi.JobQueue;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.util.Assert;

/**
 * Administration of the recurring jobs of a namespace at run time. The leader sees a
 * change within a second, regardless of the process that made it. Each call is one atomic
 * step; a refused call changes nothing. Thread-safe.
 * <p>
 * No method waits for the commit of a transaction, even if
 * {@code locket.queue.after-commit} is set for jobs. A schedule that is put, or a job
 * that is triggered, takes effect at once and is not rolled back.
 * <p>
 * Every method throws a {@link io.locket.queue.QueueUnavailableException} if the store
 * does not reply. The call may then be repeated, except {@link #triggerNow}, which may
 * have enqueued a job whose id is unknown.
 */
public final class Schedules implements DisposableBean {

	private final ScheduleStore store;

	private final JobTemplates templates;

	private final JobQueue queue;

	private final ProcessSchedules own;

	private final String group;

	private final Predicate<String> configured;

	private final Runnable onPut;

	/**
	 * Creates an administration.
	 * @param store the store of the schedules
	 * @param templates the factory of their jobs
	 * @param queue the queue of the jobs
	 * @param leases the lease service of this process's lease, with which its own
	 * schedules end; in the lock space that the store checks
	 * @param group the group of the schedules that are put
	 * @param configured the predicate for the names of schedules that are configured in
	 * this process
	 * @param onPut the callback after this process has put a schedule; must not block
	 */
	public Schedules(ScheduleStore store, JobTemplates templates, JobQueue queue, LeaseService leases, String group,
			Predicate<String> configured, Runnable onPut) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.templates = Objects.requireNonNull(templates, "'templates' must not be null");
		this.queue = Objects.requireNonNull(queue, "'queue' must not be null");
		this.own = new ProcessSchedules(store, Objects.requireNonNull(leases, "'leases' must not be null"), watch());
		this.group = Objects.requireNonNull(group, "'group' must not be null");
		this.configured = Objects.requireNonNull(configured, "'configured' must not be null");
		this.onPut = Objects.requireNonNull(onPut, "'onPut' must not be null");
	}

	/**
	 * Creates a scheduler with one daemon thread, which starts with the first schedule
	 * that ends with this process.
	 */
	private static ScheduledExecutorService watch() {
		ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "locket-schedules");
			thread.setDaemon(true);
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());
		watch.setRemoveOnCancelPolicy(true);
		return watch;
	}

	/**
	 * Puts a schedule. It replaces one of the same name that was put at run time, or that
	 * is configured in other processes only. An identical schedule is left unchanged. A
	 * changed schedule keeps its pause. If its times change, or if it was disabled, no
	 * time up to now fires any more.
	 * @param request the schedule
	 * @throws IllegalArgumentException if it is invalid, if this application has no such
	 * job, if the job does not accept the arguments, if a schedule of that name is
	 * configured in this process, or if another group has one; the message contains the
	 * remedy
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 * @throws IllegalStateException if the schedule is to end with this process, and this
	 * process stops
	 */
	public void put(ScheduleRequest request) {
		ScheduleDefinition definition = definition(request);
		if (definition.origin() == ScheduleOrigin.TRANSIENT) {
			this.own.put(definition);
		}
		else {
			this.own.giveUp(Set.of(definition.name()), () -> {
				this.store.put(List.of(definition), null);
				return true;
			});
		}
		this.onPut.run();
	}

	private ScheduleDefinition definition(ScheduleRequest request) {
		Objects.requireNonNull(request, "'request' must not be null");
		ScheduleDefinition definition = request.definition(template(request), this.group);
		Assert.isTrue(!this.configured.test(definition.name()), () -> ScheduleRules.configured(definition.name()));
		return definition;
	}

	private JobTemplate template(ScheduleRequest request) {
		try {
			return this.templates.template(request.job());
		}
		catch (PayloadTooLargeException | JobKeyException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Schedule '" + request.name() + "' cannot be put. " + ex.getMessage(),
					ex);
		}
	}

	/**
	 * Puts persistent schedules, and removes all other persistent ones of the group of
	 * this process.
	 * @param requests the schedules
	 * @throws IllegalArgumentException as for {@link #put}, if two have the same name, or
	 * if one is to end with this process
	 * @throws io.locket.queue.PayloadTooLargeException if arguments are too large
	 * @throws io.locket.JobKeyException if no key can be derived from them
	 */
	public void replaceAll(Collection<ScheduleRequest> requests) {
		Objects.requireNonNull(requests, "'requests' must not be null");
		List<ScheduleDefinition> definitions = requests.stream().map(this::definition).toList();
		Set<String> names = definitions.stream().map(ScheduleDefinition::name).collect(Collectors.toSet());
		this.own.giveUp(names, () -> {
			this.store.replaceAll(this.group, definitions);
			return true;
		});
		if (!definitions.isEmpty()) {
			this.onPut.run();
		}
	}

	/**
	 * Returns a schedule.
	 * @param name its name
	 * @return the schedule, or empty if there is none
	 */
	public Optional<ScheduleStatus> get(String name) {
		return statuses(this.store.find(Objects.requireNonNull(name, "'name' must not be null"))).findFirst();
	}

	/**
	 * Returns all schedules, including those of the leader's configuration and those of
	 * other processes.
	 * @return the schedules, by name
	 */
	public List<ScheduleStatus> list() {
		return statuses(this.store.load()).toList();
	}

	private static Stream<ScheduleStatus> statuses(ScheduleSnapshot snapshot) {
		return snapshot.schedules().stream().map((schedule) -> ScheduleStatus.of(schedule, snapshot.time()));
	}

	/**
	 * Removes a schedule.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 * @throws IllegalArgumentException if it is configured
	 */
	public boolean remove(String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		return this.own.giveUp(Set.of(name), () -> this.store.remove(name));
	}

	/**
	 * Pauses a schedule. Times before it is resumed do not fire.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 */
	public boolean pause(String name) {
		return this.store.pause(Objects.requireNonNull(name, "'name' must not be null"));
	}

	/**
	 * Resumes a schedule. Times up to now do not fire any more. A schedule may be silent
	 * because its last firing or change was by a clock of Redis that was ahead and has
	 * been put back since. It fires again from now on, even if it is not paused.
	 * @param name its name
	 * @return {@code false} if it does not exist
	 */
	public boolean resume(String name) {
		return this.store.resume(Objects.requireNonNull(name, "'name' must not be null"));
	}

	/**
	 * Enqueues the job of a schedule now, even if the schedule is paused or disabled. Its
	 * firings are not affected. In a transaction, too, the job is enqueued at once,
	 * regardless of {@code locket.queue.after-commit}.
	 * @param name the name of the schedule
	 * @return the result of enqueuing the job; a duplicate is returned as such, even if
	 * the duplicate strategy of the job is {@code RAISE}
	 * @throws IllegalArgumentException if there is no such schedule, or if its job is
	 * unknown in this application
	 * @throws io.locket.queue.UnreadableArgumentsException if the job does not accept the
	 * arguments of the schedule any more
	 */
	public EnqueueResult triggerNow(String name) {
		ScheduleDefinition schedule = get(name)
			.orElseThrow(() -> new IllegalArgumentException("There is no schedule '" + name + "'"
					+ (this.configured.test(name)
							? " yet: it is configured here, and exists once a process of its application leads" : "")))
			.definition();
		return this.templates.enqueue(new JobTemplate(schedule.job(), schedule.arguments(), schedule.queue()),
				this.queue::enqueue);
	}

	/**
	 * Ends the schedules that end with this process.
	 */
	@Override
	public void destroy() {
		this.own.close();
	}

}
