package io.locket.queue.spi;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link NewJob}.
 */
class NewJobTests {

	private final NewJob plain = NewJob.builder("a", "job", "q").build();

	private final NewJob other = NewJob.builder("b", "other", "r")
		.arguments("[1]")
		.unique(LockStrategy.UNTIL_EXPIRED, TestJob.key("k"), Duration.ofHours(1))
		.onDuplicate(DuplicateStrategy.REPLACE)
		.onConflict(ConflictStrategy.RESCHEDULE)
		.start(NewJob.Start.in(Duration.ofSeconds(1)))
		.leaseFor(Duration.ofSeconds(2))
		.holdAtLeast(Duration.ofSeconds(3))
		.rescheduleAfter(Duration.ofSeconds(4))
		.maxDelay(Duration.ofSeconds(6))
		.retries(7)
		.trace("trace")
		.build();

	@Test
	void builderSetsEachComponent() throws Exception {
		for (RecordComponent component : NewJob.class.getRecordComponents()) {
			assertThat(component.getAccessor().invoke(this.other)).as(component.getName())
				.isNotNull()
				.isNotEqualTo(component.getAccessor().invoke(this.plain));
		}
	}

	@Test
	void copyIsEqual() {
		assertThat(this.plain.copy().build()).isEqualTo(this.plain);
		assertThat(this.other.copy().build()).isEqualTo(this.other);
		assertThat(this.plain.copy().id("b").job("other").queue("r").build())
			.isEqualTo(NewJob.builder("b", "other", "r").build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a:b", "{a}" })
	void digestThatIsNoNameIsRefused(String digest) {
		JobKey key = new JobKey("job", digest, "[]");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.plain.copy().unique(LockStrategy.WHILE_EXECUTING, key, null).build())
			.withMessageContaining("1 to 255 letters")
			.withMessageEndingWith("is '" + digest + "'");
	}

	@Test
	void keyIsRequiredExactlyForLocks() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.plain.copy().unique(LockStrategy.WHILE_EXECUTING, null, null).build());
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.plain.copy().unique(LockStrategy.NONE, TestJob.key("k"), null).build());
	}

	@Test
	void strategiesMustBeResolved() {
		JobKey key = TestJob.key("k");
		for (NewJob.Builder job : List.of(this.plain.copy().unique(LockStrategy.DEFAULT, key, null),
				this.plain.copy().onDuplicate(DuplicateStrategy.DEFAULT),
				this.plain.copy().onConflict(ConflictStrategy.DEFAULT))) {
			assertThatIllegalArgumentException().isThrownBy(job::build)
				.withMessage("A job has resolved strategies, not DEFAULT");
		}
	}

}
