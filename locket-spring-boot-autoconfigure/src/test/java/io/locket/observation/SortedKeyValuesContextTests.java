package io.locket.observation;

import java.util.Map;
import java.util.stream.IntStream;

import io.locket.observer.JobRun;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SortedKeyValuesContext}, whose key values are those of any other
 * context.
 */
class SortedKeyValuesContextTests {

	private final RunObservationContext context = new RunObservationContext(
			JobRun.direct(TestRun.direct("billing.bill", "(42)"), false), Map.of());

	private final Observation.Context other = new Observation.Context();

	@Test
	void keyValuesAreThoseOfAnyOtherContext() {
		for (Observation.Context one : new Observation.Context[] { this.context, this.other }) {
			one.addLowCardinalityKeyValues(KeyValues.of("job", "billing", "kind", "direct", "outcome", "none"))
				.addLowCardinalityKeyValue(KeyValue.of("zone", "a"))
				.addLowCardinalityKeyValue(KeyValue.of("area", "b"))
				.addLowCardinalityKeyValues(KeyValues.of("outcome", "completed", "queue", "none"))
				.removeLowCardinalityKeyValue("zone")
				.removeLowCardinalityKeyValues("kind", "missing")
				.addHighCardinalityKeyValue(KeyValue.of("id", "1"));
		}
		assertThat(this.context.getLowCardinalityKeyValues()).isEqualTo(this.other.getLowCardinalityKeyValues())
			.isEqualTo(KeyValues.of("area", "b", "job", "billing", "outcome", "completed", "queue", "none"));
		assertThat(this.context.getAllKeyValues()).isEqualTo(this.other.getAllKeyValues());
		assertThat(this.context.getLowCardinalityKeyValue("outcome")).isEqualTo(KeyValue.of("outcome", "completed"));
		assertThat(this.context.getLowCardinalityKeyValue("kind")).isNull();
	}

	@Test
	void threadsAddKeyValuesAtTheSameTime() {
		IntStream.range(0, 200)
			.parallel()
			.forEach((i) -> this.context.addLowCardinalityKeyValue(KeyValue.of("name" + i, "x")));
		assertThat(this.context.getLowCardinalityKeyValues()).hasSize(200);
	}

}
