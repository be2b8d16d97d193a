package io.locket.queue.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.DelayedJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.NewJob;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for the number of commands that reads of delayed jobs need. It does not depend on
 * the number of other jobs that are due earlier, later or at the same time. Prints the
 * numbers.
 */
class DelayedJobsCostTests {

	private final RedisServer server = RedisServer.start();

	private final QueueFixture fixture = QueueFixture.createSilent(this.server, RedisServer.newNamespace());

	private final JobAdministration jobs = new JobAdministration(this.fixture.store, mock(UniqueJobs.class),
			new ArgumentCodec());

	private final DelayedJobs delayed = this.jobs.delayed();

	private final Instant start = Instant.ofEpochMilli(4_000_000_000_000L);

	private int numbers;

	@AfterEach
	void close() {
		this.fixture.close();
		this.server.close();
	}

	@Test
	void readsCostTheSameHoweverManyJobsAreDelayed() {
		enqueue(500);
		this.delayed.nextTime();
		this.delayed.next();
		Map<String, String> few = costs();
		enqueue(10_000);
		Map<String, String> many = costs();
		System.out.println("Commands and those inside scripts, for looks at delayed jobs: " + few);
		assertThat(many).isEqualTo(few);
		assertThat(this.delayed.times()).hasSize(10_501);
		assertThat(this.delayed.count()).isEqualTo(21_000);
	}

	private Map<String, String> costs() {
		Instant middle = this.start.plusMillis(100);
		Map<String, String> costs = new LinkedHashMap<>();
		costs.put("count", cost(this.delayed::count));
		costs.put("next time", cost(this.delayed::nextTime));
		costs.put("next job", cost(this.delayed::next));
		costs.put("100 times", cost(() -> this.delayed.times(middle).limit(100).toList()));
		costs.put("count at a crowded time", cost(() -> this.delayed.countAt(this.start)));
		costs.put("page of a crowded time",
				cost(() -> this.jobs.list(JobFilter.delayed().dueAt(this.start), 50, null)));
		costs.put("job of a time", cost(() -> this.jobs.list(JobFilter.delayed().dueAt(middle), 50, null)));
		costs.put("page of a range", cost(
				() -> this.jobs.list(JobFilter.delayed().dueFrom(middle).dueUntil(middle.plusMillis(30)), 50, null)));
		return costs;
	}

	private String cost(Runnable look) {
		try (CommandCounter counter = CommandCounter.on(this.server)) {
			look.run();
			return counter.commands().size() + "/" + counter.innerCommands().size();
		}
	}

	/**
	 * As many jobs at one time, and one for each millisecond after it.
	 */
	private void enqueue(int count) {
		List<NewJob> jobs = IntStream.range(0, 2 * count).mapToObj((i) -> {
			this.numbers++;
			return job(this.start.plusMillis((i < count) ? 0 : this.numbers));
		}).toList();
		this.fixture.queue.enqueue(jobs);
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isEqualTo(this.numbers);
	}

	private NewJob job(Instant due) {
		NewJob job = QueueFixture.job("j" + (1_000_000 + this.numbers), LockStrategy.NONE);
		return job.copy().start(NewJob.Start.at(due)).build();
	}

}
