package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.event.EnqueueRefused;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.WorkersQuieted;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.context.PayloadApplicationEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link JobEventForwarder}.
 */
class JobEventForwarderTests {

	private final List<Object> published = new ArrayList<>();

	private final JobEventForwarder forwarder = new JobEventForwarder(this.published::add);

	private final EnqueueRefused refused = new EnqueueRefused("1", "job", "default", "full");

	@Test
	void eventIsPublishedWithItsTypeEachTime() {
		this.forwarder.onEvent(this.refused);
		this.forwarder.onEvent(this.refused);
		assertThat(this.published).hasSize(2).allSatisfy((event) -> {
			assertThat(event).isInstanceOf(PayloadApplicationEvent.class);
			PayloadApplicationEvent<?> application = (PayloadApplicationEvent<?>) event;
			assertThat(application.getPayload()).isSameAs(this.refused);
			assertThat(application.getResolvableType().getGeneric().resolve()).isEqualTo(EnqueueRefused.class);
		});
	}

	@Test
	void eventOfQuietedWorkersIsPublished() {
		this.forwarder.onEvent(new WorkersQuieted("shop-1"));
		assertThat(this.published).hasSize(1);
	}

	@Test
	void eventForMetersIsNotPublished() {
		HeartbeatCompleted beat = new HeartbeatCompleted(1, 0, Duration.ofMillis(1), Duration.ZERO);
		this.forwarder.onEvent(beat);
		this.forwarder.onEvent(beat);
		assertThat(this.published).isEmpty();
	}

	@Test
	void eventAfterTheContextHasClosedIsIgnored() {
		JobEventForwarder closed = new JobEventForwarder((event) -> {
			throw new BeanCreationNotAllowedException("listener", "closed");
		});
		assertThatNoException().isThrownBy(() -> closed.onEvent(this.refused));
	}

}
