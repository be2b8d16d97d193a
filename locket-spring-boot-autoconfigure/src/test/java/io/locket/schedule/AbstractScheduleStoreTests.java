package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class that runs the tests of a class on each implementation, and verifies the
 * invariants of the queue after each test.
 */
@ParameterizedClass
@EnumSource(ScheduleStoreUnderTest.class)
public abstract class AbstractScheduleStoreTests {

	public static final Duration TTL = Duration.ofMinutes(3);

	public static final Duration SECOND = Duration.ofSeconds(1);

	@Parameter
	public ScheduleStoreUnderTest implementation;

	public ScheduleHarness harness;

	public ScheduleStore store;

	public LeaseProof leader;

	@BeforeEach
	public void createStore() {
		this.harness = this.implementation.create();
		this.store = this.harness.store();
		this.leader = this.harness.hold("leader", TTL);
	}

	@AfterEach
	public void verifyAndCloseStore() {
		assertThat(this.harness.queue().store().verify()).isEmpty();
		this.harness.close();
	}

	public Instant now() {
		return this.harness.queue().now();
	}

	public void advance(Duration time) {
		this.harness.queue().advance(time);
	}

	/**
	 * Puts a persistent schedule.
	 */
	public StoredSchedule put(String name) {
		this.store.put(List.of(TestSchedule.persistent(name)), null);
		return find(name);
	}

	public StoredSchedule find(String name) {
		return this.store.load()
			.schedules()
			.stream()
			.filter((schedule) -> schedule.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	public List<String> names() {
		return this.store.load().schedules().stream().map(StoredSchedule::name).toList();
	}

	public FiringResult fire(Firing firing) {
		return fire(this.leader, firing);
	}

	public FiringResult fire(LeaseProof proof, Firing firing) {
		return this.store.fire(proof, TTL, List.of(firing)).results().get(0);
	}

	public FiringResult fire(String name, Instant time) {
		return fire(TestSchedule.firing(find(name), time));
	}

	/**
	 * Fires a schedule now, after advancing the time by a second.
	 */
	public FiringResult fire(String name, TestJob job) {
		return fire(TestSchedule.firing(find(name), now(), job));
	}

	public static FiringResult accepted(String name, Instant time) {
		return new FiringResult.Fired(new EnqueueResult.Accepted(Firing.id(name, time)));
	}

	public long jobs() {
		return this.harness.queue().store().counts("q").accepted();
	}

}
