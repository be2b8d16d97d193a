package io.locket.observation;

import java.util.Map;
import java.util.Objects;

import io.locket.observer.JobRun;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of an observation of a run or of its waiting. The key values of low cardinality
 * stay sorted. The class of Micrometer hashes them, and sorts them for each reader, which
 * was a third of the cost of an observation. They are thread-safe.
 */
abstract class SortedKeyValuesContext extends ReceiverContext<Map<String, String>> {

	private final JobRun run;

	private final RunKeyValues keyValues;

	private volatile KeyValues low = KeyValues.empty();

	SortedKeyValuesContext(JobRun run, Map<String, String> fields, RunKeyValues keyValues) {
		super((carrier, field) -> Objects.requireNonNull(carrier, "'carrier' must not be null").get(field),
				Kind.CONSUMER);
		this.run = run;
		this.keyValues = keyValues;
		setCarrier(fields);
	}

	JobRun run() {
		return this.run;
	}

	RunKeyValues keyValues() {
		return this.keyValues;
	}

	@Override
	public Observation.Context addLowCardinalityKeyValue(KeyValue keyValue) {
		return addLowCardinalityKeyValues(KeyValues.of(keyValue));
	}

	@Override
	public synchronized Observation.Context addLowCardinalityKeyValues(KeyValues added) {
		this.low = this.low.and(added);
		return this;
	}

	@Override
	public synchronized Observation.Context removeLowCardinalityKeyValue(String keyName) {
		this.low = KeyValues.of(this.low.stream().filter((keyValue) -> !keyValue.getKey().equals(keyName)).toList());
		return this;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues() {
		return this.low;
	}

	@Override
	public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
		return this.low.stream().filter((keyValue) -> keyValue.getKey().equals(key)).findFirst().orElse(null);
	}

}
