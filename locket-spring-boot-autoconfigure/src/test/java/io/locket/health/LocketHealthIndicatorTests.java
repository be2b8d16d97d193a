package io.locket.health;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LocketHealthIndicator}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketHealthIndicatorTests {

	private final StoreProbe store = mock(StoreProbe.class);

	private final LocketHealthIndicator indicator = new LocketHealthIndicator(this.store);

	@Test
	void healthIsUpWhenTheStoreReplies() {
		given(this.store.evictionPolicy()).willReturn(Optional.of("noeviction"));
		given(this.store.evictionWarning()).willReturn(Optional.empty());
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("redis", "reachable")
			.containsEntry("evictionPolicy", "noeviction")
			.doesNotContainKey("warning");
	}

	@Test
	void healthIsUpAndWarnsWhenTheStoreEvicts() {
		given(this.store.evictionPolicy()).willReturn(Optional.of("allkeys-lru"));
		given(this.store.evictionWarning()).willReturn(Optional.of("mind the gap"));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("evictionPolicy", "allkeys-lru")
			.containsEntry("warning", "mind the gap");
	}

	@Test
	void healthIsUpWhenTheStoreDoesNotTellItsPolicy() {
		given(this.store.evictionPolicy()).willReturn(Optional.empty());
		given(this.store.evictionWarning()).willReturn(Optional.empty());
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("evictionPolicy", "unknown");
	}

	@Test
	void healthIsUpAndNotesWhenTheStoreKeepsNoFile() {
		given(this.store.appendOnly()).willReturn(Optional.of(false));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("appendOnly", "false");
		assertThat(health.getDetails().get("note")).asString().contains("appendonly");
	}

	@Test
	void nothingIsNotedWhenTheStoreKeepsAFileOrDoesNotTell() {
		assertThat(this.indicator.health().getDetails()).containsEntry("appendOnly", "unknown")
			.doesNotContainKey("note");
		given(this.store.appendOnly()).willReturn(Optional.of(true));
		assertThat(this.indicator.health().getDetails()).containsEntry("appendOnly", "true").doesNotContainKey("note");
	}

	@Test
	void healthIsDownWhenTheStoreDoesNotReply() {
		willThrow(new IllegalStateException("no route")).given(this.store).ping();
		given(this.store.isUnavailable()).willReturn(true);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("redis", "unreachable").containsKey("error");
	}

	@Test
	void healthIsDownWhenTheStoreRefusesTheCheck() {
		willThrow(new IllegalStateException("READONLY")).given(this.store).ping();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("redis", "refused")
			.containsEntry("error", "java.lang.IllegalStateException: READONLY");
	}

	@Test
	void nothingIsLoggedWhenTheStoreDoesNotReply(CapturedOutput output) {
		willThrow(new IllegalStateException("no route")).given(this.store).ping();
		assertThat(this.indicator.health().getDetails()).containsEntry("error",
				"java.lang.IllegalStateException: no route");
		assertThat(output.getAll()).isEmpty();
	}

	@Test
	void knownProblemIsTheReasonWhenTheStoreDoesNotReply() {
		given(this.store.problems()).willReturn(List.of("WRONGPASS"));
		willThrow(new IllegalStateException("no route")).given(this.store).ping();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("reason", "WRONGPASS").containsKey("error");
	}

	@Test
	void missingPermissionsAreListedWhenTheStoreRefusesTheCheck() {
		given(this.store.missingPermissions()).willReturn(new TreeSet<>(Set.of("+get", "+eval")));
		willThrow(new IllegalStateException("NOPERM")).given(this.store).ping();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("missingPermissions", "+eval +get").containsKey("error");
	}

}
