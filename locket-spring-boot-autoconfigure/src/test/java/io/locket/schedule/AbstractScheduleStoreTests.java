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
 * Runs the tests of a class on each implementation, and checks the invariants of the
 * queue after each.
 */
@ParameterizedClass
@EnumSource(ScheduleStoreUnderTest.class)
abstract class AbstractScheduleStoreTests {

	static final Duration TTL = Duration.ofMinutes(3);

	static final Duration SECOND = Duration.ofSeconds(1);

	@Parameter
	ScheduleStoreUnderTest implementation;

	ScheduleHarness harness;

	ScheduleStore store;

	LeaseProof leader;

	@BeforeEach
	void createStore() {
		this.harness = this.implementation.create();
		this.store = this.harness.store();
		this.leader = this.harness.hold("leader", TTL);
	}

	@AfterEach
	void verifyAndCloseStore() {
		assertThat(this.harness.queue().store().verify()).isEmpty();
		this.harness.close();
	}

	Instant now() {
		return this.harness.queue().now();
	}

	void advance(Duration time) {
		this.harness.queue().advance(time);
	}

	/**
	 * Put a persistent schedule.
	 */
	StoredSchedule put(String name) {
		this.store.put(List.of(TestSchedule.persistent(name)), null);
		return find(name);
	}

	StoredSchedule find(String name) {
		return this.store.load()
			.schedules()
			.stream()
			.filter((schedule) -> schedule.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	List<String> names() {
		return this.store.load().schedules().stream().map(StoredSchedule::name).toList();
	}

	FiringResult fire(Firing firing) {
		return fire(this.leader, firing);
	}

	FiringResult fire(LeaseProof proof, Firing firing) {
		return this.store.fire(proof, TTL, List.of(firing)).results().get(0);
	}

	FiringResult fire(String name, Instant time) {
		return fire(TestSchedule.firing(find(name), time));
	}

	/**
	 * Fire a schedule now, a second after what came before.
	 */
	FiringResult fire(String name, TestJob job) {
		return fire(TestSchedule.firing(find(name), now(), job));
	}

	static FiringResult accepted(String name, Instant time) {
		return new FiringResult.Fired(new EnqueueResult.Accepted(Firing.id(name, time)));
	}

	long jobs() {
		return this.harness.queue().store().counts("q").accepted();
	}

}
