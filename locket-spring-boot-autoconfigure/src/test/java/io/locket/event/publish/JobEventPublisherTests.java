package io.locket.event.publish;

import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseAcquired;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link JobEventPublisher}.
 */
class JobEventPublisherTests {

	private final JobEvent event = new LeaseAcquired(new JobKey("job", "digest", "[]"), 1, false);

	@Test
	void listenerThatFailsDoesNotAffectOthers() {
		List<JobEvent> told = new ArrayList<>();
		JobEventListener failing = (event) -> {
			throw new IllegalStateException("a listener that fails");
		};
		JobEventPublisher publisher = new JobEventPublisher(List.of(failing, told::add));
		assertThatNoException().isThrownBy(() -> publisher.publish(this.event));
		assertThat(told).containsExactly(this.event);
	}

	@Test
	void errorOfAListenerAffectsNeitherOthersNorThePublisher() {
		List<JobEvent> told = new ArrayList<>();
		JobEventListener failing = (event) -> {
			throw new NoClassDefFoundError("of a listener");
		};
		JobEventPublisher publisher = new JobEventPublisher(List.of(failing, told::add));
		assertThatNoException().isThrownBy(() -> publisher.publish(this.event));
		assertThat(told).containsExactly(this.event);
	}

	@Test
	void errorOfTheCreationOfListenersIsNotThrown() {
		JobEventPublisher publisher = new JobEventPublisher(() -> {
			throw new NoClassDefFoundError("of a listener");
		});
		assertThatNoException().isThrownBy(() -> publisher.publish(this.event));
	}

	@Test
	void listenersThatDoNotExistYetAreFoundLater() {
		List<JobEvent> told = new ArrayList<>();
		List<Integer> asked = new ArrayList<>();
		JobEventPublisher publisher = new JobEventPublisher(() -> {
			asked.add(asked.size());
			if (asked.size() == 1) {
				throw new IllegalStateException("in creation");
			}
			return List.of(told::add);
		});
		publisher.publish(this.event);
		publisher.publish(this.event);
		publisher.publish(this.event);
		assertThat(told).hasSize(2);
		assertThat(asked).hasSize(2);
	}

}
