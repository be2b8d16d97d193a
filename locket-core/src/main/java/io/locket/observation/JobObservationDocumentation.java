package io.locket.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Locket's observations with their names and key names. Low-cardinality values are names
 * and constants, never keys or arguments.
 */
public enum JobObservationDocumentation implements ObservationDocumentation {

	/**
	 * A call that enqueues one or several jobs.
	 */
	ENQUEUE("locket.enqueue", DefaultEnqueueObservationConvention.class, Keys.ENQUEUE, Keys.ENQUEUE_HIGH),

	/**
	 * The time from the due time of a queued job to the start of its run.
	 */
	WAIT("locket.wait", DefaultWaitObservationConvention.class, Keys.WAIT, Keys.RUN_HIGH),

	/**
	 * The body of a direct call or of a queued job.
	 */
	RUN("locket.run", DefaultRunObservationConvention.class, Keys.RUN, Keys.RUN_HIGH);

	private final String name;

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	private final KeyName[] lowCardinality;

	private final KeyName[] highCardinality;

	JobObservationDocumentation(String name,
			Class<? extends ObservationConvention<? extends Observation.Context>> convention, KeyName[] lowCardinality,
			KeyName[] highCardinality) {
		this.name = name;
		this.convention = convention;
		this.lowCardinality = lowCardinality;
		this.highCardinality = highCardinality;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.lowCardinality.clone();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.highCardinality.clone();
	}

	/**
	 * Names of key values with low cardinality.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * The name of the job, or {@code (several)}.
		 */
		JOB("job"),

		/**
		 * The queue, {@code (several)}, or {@code none} for a direct call.
		 */
		QUEUE("queue"),

		/**
		 * Whether the run is a {@code direct} call or that of a {@code queued} job.
		 */
		KIND("kind"),

		/**
		 * The outcome; {@code none} before the end.
		 */
		OUTCOME("outcome");

		private final String name;

		LowCardinality(String name) {
			this.name = name;
		}

		@Override
		public String asString() {
			return this.name;
		}

	}

	/**
	 * Names of key values with high cardinality.
	 */
	public enum HighCardinality implements KeyName {

		/**
		 * The number of jobs that the call enqueues.
		 */
		JOBS("jobs"),

		/**
		 * The id of the queued job.
		 */
		ID("id"),

		/**
		 * The number of the attempt of a queued job, from 1.
		 */
		ATTEMPT("attempt");

		private final String name;

		HighCardinality(String name) {
			this.name = name;
		}

		@Override
		public String asString() {
			return this.name;
		}

	}

	/**
	 * The key names of each observation.
	 */
	private static final class Keys {

		static final KeyName[] ENQUEUE = { LowCardinality.JOB, LowCardinality.QUEUE, LowCardinality.OUTCOME };

		static final KeyName[] ENQUEUE_HIGH = { HighCardinality.JOBS };

		static final KeyName[] WAIT = { LowCardinality.JOB, LowCardinality.QUEUE };

		static final KeyName[] RUN = { LowCardinality.JOB, LowCardinality.QUEUE, LowCardinality.KIND,
				LowCardinality.OUTCOME };

		static final KeyName[] RUN_HIGH = { HighCardinality.ID, HighCardinality.ATTEMPT };

	}

}
