package io.locket.lease.heartbeat;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

/**
 * Tests for {@link LeaseClosing}.
 */
class LeaseClosingTests {

	private final AtomicInteger ended = new AtomicInteger();

	private final LeaseClosing closing = new LeaseClosing(this.ended::incrementAndGet);

	@Test
	void serviceEndsAfterTheAttemptThatIsUnderWay() {
		this.closing.attemptBegins();
		this.closing.close();
		assertThat(this.ended).hasValue(0);
		this.closing.attemptEnds(false);
		await().untilAtomic(this.ended, is(1));
	}

	@Test
	void serviceEndsOnTheThreadOfTheLastLeaseIfNoOtherCanBeStarted() {
		LeaseClosing poor = new LeaseClosing(this.ended::incrementAndGet, (task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		poor.attemptBegins();
		poor.attemptEnds(true);
		poor.close();
		poor.leaseEnds();
		assertThat(this.ended).hasValue(1);
	}

	@Test
	void serviceThatIsClosedAgainEndsOnce() {
		this.closing.close();
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

}
