package io.locket.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.observer.EnqueueCall;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Batch of jobs that are enqueued in steps, with one call of the store for each step.
 */
final class JobBatch {

	/**
	 * Maximum number of jobs in one step.
	 */
	static final int STEP = 100;

	/**
	 * Number of characters of arguments after which a step gets no further job, so that
	 * no call of the store takes long.
	 */
	private static final int STEP_CHARACTERS = 1_000_000;

	private final List<JobRequest> requests;

	private final List<JobDraft> drafts;

	private final @Nullable EnqueueResult[] results;

	private JobBatch(List<JobRequest> requests, List<JobDraft> drafts, EnqueueGuards guards) {
		this.requests = requests;
		this.drafts = drafts;
		this.results = new @Nullable EnqueueResult[drafts.size()];
		for (int i = 0; i < this.results.length; i++) {
			this.results[i] = guards.check(drafts.get(i).job());
		}
	}

	/**
	 * Creates the jobs of some calls and applies the guards once all jobs are created.
	 * @param requests the requests
	 * @param calls the call of each
	 * @param enqueuer the enqueuer, which creates the jobs
	 * @param trace the trace context to store with each of them
	 * @return the batch
	 * @throws IllegalArgumentException if one cannot be enqueued
	 */
	static JobBatch of(List<JobRequest> requests, List<JobCalls.Call> calls, JobEnqueuer enqueuer,
			@Nullable String trace) {
		List<JobDraft> drafts = new ArrayList<>(calls.size());
		for (JobCalls.Call call : calls) {
			int index = drafts.size();
			JobRequest request = requests.get(index);
			try {
				drafts.add(enqueuer.draft(call.job(), call.key(), call.args(), request.options(), trace));
			}
			catch (IllegalArgumentException ex) {
				throw refused(request, index, ex);
			}
		}
		return new JobBatch(requests, drafts, enqueuer.guards());
	}

	/**
	 * Describes calls that are enqueued together.
	 * @param requests the requests, at least one
	 * @param calls the call of each
	 * @return the call that enqueues all of them
	 */
	static EnqueueCall callOf(List<JobRequest> requests, List<JobCalls.Call> calls) {
		return new EnqueueCall(common(calls.size(), (index) -> calls.get(index).job().name()),
				common(calls.size(), (index) -> requests.get(index).options().queueOf(calls.get(index).job())),
				calls.size(), calls.stream().anyMatch((call) -> call.job().maskArguments()));
	}

	private static @Nullable String common(int size, Function<Integer, String> name) {
		Set<String> names = IntStream.range(0, size).boxed().map(name).collect(Collectors.toSet());
		return (names.size() == 1) ? names.iterator().next() : null;
	}

	static IllegalArgumentException refused(JobRequest request, int index, IllegalArgumentException cause) {
		return new IllegalArgumentException("The request at index " + index + ", " + request
				+ ", cannot be enqueued, so none is. " + cause.getMessage(), cause);
	}

	/**
	 * Enqueues the jobs that wait for no transaction, and then defers the others, so that
	 * a failure leaves nothing behind that would be enqueued later.
	 * @param enqueuer the enqueuer
	 * @return a result for each, in their order
	 * @throws BulkEnqueueException if the store did not reply to a step
	 */
	List<EnqueueResult> send(JobEnqueuer enqueuer) {
		List<Integer> deferred = new ArrayList<>();
		List<Integer> now = new ArrayList<>();
		for (int i = 0; i < this.drafts.size(); i++) {
			if (this.results[i] == null) {
				(enqueuer.isDeferred(this.drafts.get(i)) ? deferred : now).add(i);
			}
		}
		for (List<Integer> step : steps(now, (index) -> this.drafts.get(index).job())) {
			sendStep(step, enqueuer);
		}
		deferred.forEach((index) -> this.results[index] = enqueuer.defer(this.drafts.get(index).withoutRaising()));
		return Arrays.stream(this.results).map(Objects::requireNonNull).toList();
	}

	/**
	 * Divides jobs into steps.
	 * @param <T> the type of an element with a job
	 * @param elements the elements
	 * @param job the job of an element
	 * @return the elements of each step, in their order
	 */
	static <T> List<List<T>> steps(List<T> elements, Function<T, NewJob> job) {
		List<List<T>> steps = new ArrayList<>();
		int from = 0;
		int characters = 0;
		for (int i = 0; i < elements.size(); i++) {
			characters += job.apply(elements.get(i)).arguments().length();
			if (i + 1 == elements.size() || i + 1 - from == STEP || characters >= STEP_CHARACTERS) {
				steps.add(elements.subList(from, i + 1));
				from = i + 1;
				characters = 0;
			}
		}
		return steps;
	}

	private void sendStep(List<Integer> step, JobEnqueuer enqueuer) {
		List<NewJob> jobs = step.stream().map((index) -> this.drafts.get(index).job()).toList();
		try {
			List<EnqueueResult> sentResults = enqueuer.send(jobs);
			for (int i = 0; i < step.size(); i++) {
				this.results[step.get(i)] = sentResults.get(i);
			}
		}
		catch (QueueUnavailableException ex) {
			throw failure(ex);
		}
	}

	private BulkEnqueueException failure(QueueUnavailableException cause) {
		List<EnqueueResult> known = new ArrayList<>();
		List<JobRequest> remaining = new ArrayList<>();
		for (int i = 0; i < this.results.length; i++) {
			EnqueueResult result = this.results[i];
			if (result != null) {
				known.add(result);
			}
			else {
				JobRequest request = this.requests.get(i);
				remaining.add(request.with(request.options().id(this.drafts.get(i).job().id())));
			}
		}
		return new BulkEnqueueException(known, remaining, cause);
	}

}
