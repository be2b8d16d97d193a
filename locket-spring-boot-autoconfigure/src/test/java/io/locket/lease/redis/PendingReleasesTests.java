package io.locket.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/**
 * Tests for {@link PendingReleases}, with manual time.
 */
class PendingReleasesTests {

	private static final Duration LEASE = Duration.ofSeconds(35);

	private final ManualScheduler time = new ManualScheduler();

	private final LeaseScripts scripts = mock();

	private final AtomicInteger ended = new AtomicInteger();

	private final LeaseClosing closing = new LeaseClosing(this.ended::incrementAndGet);

	private final PendingReleases releases = new PendingReleases(this.scripts, this.time, this.closing,
			this.time::nanoTime);

	@Test
	void releaseIsRepeatedUntilTheStoreReplies() {
		when(this.scripts.release(any())).thenThrow(new IllegalStateException("no answer")).thenReturn(1);
		add("lock");
		this.time.advance(Duration.ofSeconds(1));
		verify(this.scripts, times(2)).release(release("lock"));
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

	/**
	 * Threads are short, as they may be in an outage.
	 */
	@Test
	void releaseThatCannotBeScheduledIsMadeWithTheNextOne() {
		when(this.scripts.release(any())).thenReturn(1);
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add("first"));
		add("second");
		this.time.advance(Duration.ofSeconds(1));
		verify(this.scripts).release(release("first"));
		verify(this.scripts).release(release("second"));
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

	private void add(String lock) {
		this.releases.add(release(lock), LEASE, false);
	}

	private static PendingRelease release(String lock) {
		return PendingRelease.of(lock, "token", "digest");
	}

}
