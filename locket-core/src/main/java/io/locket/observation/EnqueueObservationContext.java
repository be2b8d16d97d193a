package io.locket.observation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.locket.observer.EnqueueCall;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * Context of the observation of enqueuing. The fields in the carrier are stored with the
 * jobs.
 */
public final class EnqueueObservationContext extends SenderContext<Map<String, String>> {

	private final EnqueueCall call;

	private final EnqueueKeyValues keyValues;

	private String outcome = KeyValue.NONE_VALUE;

	/**
	 * Creates a context.
	 * @param call the call
	 */
	public EnqueueObservationContext(EnqueueCall call) {
		super((carrier, field, value) -> Objects.requireNonNull(carrier, "'carrier' must not be null")
			.put(field, value), Kind.PRODUCER);
		this.call = call;
		this.keyValues = new EnqueueKeyValues(call);
		setCarrier(new LinkedHashMap<>());
	}

	/**
	 * Returns the call.
	 * @return the call
	 */
	public EnqueueCall getCall() {
		return this.call;
	}

	/**
	 * Returns the outcome of the call.
	 * @return a word of {@link io.locket.observer.EnqueueObservation#end}, or
	 * {@code none} before the end
	 */
	public String getOutcome() {
		return this.outcome;
	}

	EnqueueKeyValues keyValues() {
		return this.keyValues;
	}

	void setOutcome(String outcome) {
		this.outcome = outcome;
	}

}
