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
import io.locket.queue.JobQueue;
import io.locket.queue.PayloadTooLargeException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.util.Assert;

/**
 * The recurring jobs of a namespace, for those who look at them and change them at run
 * time. The leader sees a change within a second, whichever process made it. Each call is
 * one atomic step; what it refuses changes nothing. Thread-safe.
 * <p>
 * No method waits for the commit of a transaction, also if
 * {@code locket.queue.after-commit} says so of jobs: what is put or triggered in one
 * counts at once, and stays if it is rolled back.
 * <p>
 * Every method throws a {@link io.locket.queue.QueueUnavailableException} if the store
 * gives no answer; the call may be repeated then, but for {@link #triggerNow}, which may
 * have enqueued a job that nobody was told of.
 */
public final class Schedules implements DisposableBean {

	private final ScheduleStore store;

	private final JobTemplates templates;

	private final JobQueue queue;

	private final ProcessSchedules own;

	private final String group;

	private final Predicate<String> configured;

	/**
	 * Create an administration.
	 * @param store where the schedules are
	 * @param templates makes their jobs
	 * @param queue where jobs are enqueued
	 * @param leases keeps the lease of this process, with which its own schedules end; of
	 * the lock space that the store looks into
	 * @param group the group of the schedules that are put
	 * @param configured tells whether this process is configured with a schedule of a
	 * name
	 */
	public Schedules(ScheduleStore store, JobTemplates templates, JobQueue queue, LeaseService leases, String group,
			Predicate<String> configured) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.templates = Objects.requireNonNull(templates, "'templates' must not be null");
		this.queue = Objects.requireNonNull(queue, "'queue' must not be null");
		this.own = new ProcessSchedules(store, Objects.requireNonNull(leases, "'leases' must not be null"), watch());
		this.group = Objects.requireNonNull(group, "'group' must not be null");
		this.configured = Objects.requireNonNull(configured, "'configured' must not be null");
	}

	/**
	 * A daemon thread, which starts with the first schedule that ends with this process.
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
	 * Put a schedule, in the place of one of the same name that was put at run time, or
	 * that only other processes are configured with. One that is there as it is put goes
	 * on as it is. One that is changed keeps its pause; if it is changed in when it
	 * fires, or was disabled, no time up to now fires any more.
	 * @param request the schedule
	 * @throws IllegalArgumentException if it cannot work, if there is no such job here,
	 * if the job does not take the arguments, if this process is configured with a
	 * schedule of that name, or if another group has one; the message says how to go on
	 * @throws io.locket.queue.PayloadTooLargeException if the arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
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
	 * Put schedules that stay until they are removed, and remove all others of that kind
	 * and of the group of this process.
	 * @param requests the schedules
	 * @throws IllegalArgumentException as for {@link #put}, if two have the same name, or
	 * if one is to end with this process
	 * @throws io.locket.queue.PayloadTooLargeException if arguments are too large
	 * @throws io.locket.JobKeyException if no key can be made of them
	 */
	public void replaceAll(Collection<ScheduleRequest> requests) {
		List<ScheduleDefinition> definitions = requests.stream().map(this::definition).toList();
		Set<String> names = definitions.stream().map(ScheduleDefinition::name).collect(Collectors.toSet());
		this.own.giveUp(names, () -> {
			this.store.replaceAll(this.group, definitions);
			return true;
		});
	}

	/**
	 * Look a schedule up.
	 * @param name its name
	 * @return the schedule, or empty if there is none
	 */
	public Optional<ScheduleStatus> get(String name) {
		return statuses(this.store.find(name)).findFirst();
	}

	/**
	 * Return all schedules, those of the leader's configuration and those of other
	 * processes among them.
	 * @return the schedules, by name
	 */
	public List<ScheduleStatus> list() {
		return statuses(this.store.load()).toList();
	}

	private static Stream<ScheduleStatus> statuses(ScheduleBook book) {
		return book.schedules().stream().map((schedule) -> ScheduleStatus.of(schedule, book.time()));
	}

	/**
	 * Remove a schedule.
	 * @param name its name
	 * @return {@code false} if it was not there
	 * @throws IllegalArgumentException if it is configured
	 */
	public boolean remove(String name) {
		return this.own.giveUp(Set.of(name), () -> this.store.remove(name));
	}

	/**
	 * Pause a schedule: no time fires that comes before it is resumed.
	 * @param name its name
	 * @return {@code false} if it is not there
	 */
	public boolean pause(String name) {
		return this.store.pause(name);
	}

	/**
	 * Resume a schedule: no time up to now fires any more. One that is silent, since its
	 * last firing or its last change was by a clock of Redis that was ahead and has been
	 * put back since, fires again from now on, also if it is not paused.
	 * @param name its name
	 * @return {@code false} if it is not there
	 */
	public boolean resume(String name) {
		return this.store.resume(name);
	}

	/**
	 * Enqueue the job of a schedule now, also if that is paused or disabled. Its firings
	 * go on as if nothing had happened. In a transaction, too, the job is there at once,
	 * whatever {@code locket.queue.after-commit} says.
	 * @param name the name of the schedule
	 * @return what became of the job; a duplicate is answered as such, also if the job
	 * says {@code RAISE}
	 * @throws IllegalArgumentException if there is no such schedule, or if its job is not
	 * known here
	 * @throws io.locket.queue.UnreadableArgumentsException if the job does not take the
	 * arguments of the schedule any more
	 */
	public EnqueueResult triggerNow(String name) {
		ScheduleDefinition schedule = get(name).orElseThrow(() -> new IllegalArgumentException("There is no schedule '"
				+ name + "'"
				+ (this.configured.test(name)
						? " yet: it is configured here, and known from when a process of its application leads" : "")))
			.definition();
		return this.queue
			.enqueue(this.templates.job(new JobTemplate(schedule.job(), schedule.arguments(), schedule.queue())));
	}

	/**
	 * End the schedules that were to end with this process.
	 */
	@Override
	public void destroy() {
		this.own.close();
	}

}
